import numpy as np


def poisson(f, h):
    n = len(f)
    k = 2 * np.pi * np.fft.fftfreq(n, h)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    k2[0, 0] = np.inf
    return np.fft.ifft2(-np.fft.fft2(f) / k2).real


def greens(f, k2):
    F = np.fft.rfft(f)
    F /= k2
    return np.fft.irfft(F)


x = np.linspace(0, 1, 16, endpoint=False)
print(poisson(np.sin(2 * np.pi * x)[:, None] * np.cos(2 * np.pi * x), 1 / 16).round(6)[1])
k = np.arange(9.0) ** 2
k[0] = np.inf
print(greens(np.sin(2 * np.pi * x), k).round(6))
