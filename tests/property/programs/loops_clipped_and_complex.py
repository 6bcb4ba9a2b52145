"""Functions of numbers in loops: numpy.clip, and those of cmath."""

import cmath
import math
import numpy as np


def dft(x: np.ndarray):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        s = 0j
        for t in range(n):
            s += x[t] * cmath.exp(-2j * cmath.pi * k * t / n)
        out[k] = s
    return out


def phases(z: np.ndarray):
    out = np.zeros(len(z))
    roots = np.zeros(len(z), dtype=complex)
    for i in range(len(z)):
        out[i] = cmath.phase(z[i])
        roots[i] = cmath.sqrt(z[i]) + cmath.log(z[i] + 3.5) + cmath.sin(z[i]) - cmath.cos(z[i])
    return out, roots


def clamp(img: np.ndarray):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            s = 0.0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    s += img[np.clip(i + di, 0, h - 1), np.clip(j + dj, 0, w - 1)]
            out[i, j] = np.clip(s / 9.0, 0, 0.6)
    return out


def clips(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.clip(x[i], -0.5, 0.5) + np.clip(i, 2, 5) + np.clip(x[i], 0.5, -0.5)
    return out


def narrow(x: np.ndarray, y: np.ndarray):
    out = np.zeros(len(x), dtype=np.float32)
    for i in range(len(x)):
        out[i] = np.clip(x[i], 0.1, 0.3) * 3
        y[i] = np.clip(y[i], 3, 200)
    return out, y


rng = np.random.default_rng(0)
x = rng.normal(size=8)
print(np.round(dft(x), 9))
a, b = phases(x + 1j * x[::-1])
print(np.round(a, 9), np.round(b, 9))
print(np.round(clamp(rng.random((5, 6))), 10))
x[3] = np.nan
print(clips(x))
print(narrow(x.astype(np.float32), np.arange(8, dtype=np.uint8)))
