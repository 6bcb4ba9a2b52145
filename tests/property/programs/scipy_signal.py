import sys
import numpy as np
from scipy import signal
from scipy.signal import windows


def clean(x, fs):
    sos = signal.butter(4, [1.0, 40.0], btype="bandpass", fs=fs, output="sos")
    return signal.sosfilt(sos, x)


def zero_phase(x):
    b, a = signal.butter(3, 0.1)
    return signal.filtfilt(b, a, x)


def psd(x, fs):
    f, p = signal.welch(x, fs, nperseg=128)
    return f, 10.0 * np.log10(p + 1e-12)


def peaks(x):
    found, props = signal.find_peaks(x, height=0.5, distance=10)
    return found, props["peak_heights"]


def taper(x):
    return x * windows.hann(len(x))


def envelope(x):
    return np.abs(signal.hilbert(signal.detrend(x)))


def main(path):
    fs = 256.0
    t = np.arange(1024) / fs
    rng = np.random.default_rng(0)
    x = np.sin(2 * np.pi * 10 * t) + 0.1 * rng.standard_normal(1024)
    f, p = psd(x, fs)
    found, heights = peaks(x)
    np.savez(path, clean=clean(x, fs), zero=zero_phase(x), f=f, p=p, found=found, heights=heights,
             taper=taper(x), env=envelope(x), med=signal.medfilt(x, 5), sg=signal.savgol_filter(x, 7, 2),
             res=signal.resample(x, 300))


main(sys.argv[1])
