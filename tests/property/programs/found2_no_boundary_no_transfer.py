import sys

import numpy as np


def envelope(x):
    X = np.fft.fft(x)
    h = np.zeros(20)
    return np.abs(np.fft.ifft(X * h))


def ranked(x):
    s = np.sort(x)
    w = np.ones(20)
    return np.abs(np.cumsum(s * w))


def smooth(x):
    s = np.nan_to_num(np.gradient(np.diff(x)))
    w = np.ones(19)
    return np.abs(np.cos(np.cumsum(s * w)))


if __name__ == "__main__":
    a = np.linspace(0.0, 1.0, 20)
    np.savez(sys.argv[1], **{k: globals()[k](a) for k in ("envelope", "ranked", "smooth")})
