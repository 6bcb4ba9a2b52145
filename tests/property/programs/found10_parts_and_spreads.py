"""Parts of complex arrays changed in place on either side, and arrays spread in displays."""

import numpy as np


def spectrum(n):
    z = np.exp(1j * np.linspace(0.0, 3.0, n)) * np.hanning(n)
    z.imag += 1
    z.real *= np.abs(z)
    w = np.fft.fft(z)
    w.imag -= w.real.mean()
    w.real[1] = 2.0
    return z, w


def levels(n):
    y = np.cos(np.linspace(0.0, 9.0, n)) * np.exp(-np.linspace(0.0, 1.0, n))
    y = np.sin(y) * 2.0 + np.cos(y)
    steps = {*np.round(np.abs(y), 1)}
    listed = [*np.sort(np.exp(y))[:2], 0.5]
    pair = (*np.sqrt(np.abs(y))[:2],)
    return len(steps), max(steps), listed, pair


def spread(x):
    m = x + 1j * x[::-1]
    host = np.asarray([complex(v) for v in m])
    host.imag += 1
    host.real += np.exp(-np.abs(host)).sum() * np.sin(x) ** 2 + np.cos(x) ** 2
    return host


z, w = spectrum(32)
print(z.sum().round(9), np.abs(w).max().round(9))
print(levels(40))
print(spread(np.linspace(0.0, 1.0, 5)).round(9))
