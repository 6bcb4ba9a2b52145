import numpy as np
from scipy import signal


def clean(x: np.ndarray, rate: float):
    b, a = signal.butter(3, 0.1)
    low = signal.filtfilt(b, a, x)
    return low - signal.medfilt(x, 5), signal.windows.hann(8, sym=False)
