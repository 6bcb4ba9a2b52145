import sys
import numpy as np
from scipy import fft


def spectrum(signal, rate):
    amplitude = np.abs(fft.rfft(signal)) / len(signal)
    return fft.rfftfreq(len(signal), 1.0 / rate), amplitude


def lowpass(image, keep):
    coefficients = fft.dctn(image, norm="ortho")
    coefficients[keep:, :] = 0.0
    coefficients[:, keep:] = 0.0
    return fft.idctn(coefficients, norm="ortho")


def main(path):
    t = np.linspace(0.0, 1.0, 512, endpoint=False)
    f, a = spectrum(np.sin(2 * np.pi * 40 * t) + 0.5 * np.cos(2 * np.pi * 90 * t), 512.0)
    y, x = np.mgrid[0:32, 0:32]
    smooth = lowpass(np.exp(-((x - 16.0) ** 2 + (y - 12.0) ** 2) / 40.0), 8)
    print(round(float(f[np.argmax(a)]), 3))
    np.savez(path, f=f, a=a, smooth=smooth, n=fft.next_fast_len(513))


main(sys.argv[1])
