"""Sums and last values beside elements of arrays of two axes, in one kernel."""

import numpy as np
from numpy.typing import NDArray


def f(c: NDArray[np.int16], x0: np.float32, m: int):
    s = 0
    for i, j in np.ndindex(c.shape):
        c[i, j] = x0
        s = s + x0
    return s


def g(c: NDArray[np.float64], x: NDArray[np.float64]):
    s = 0.0
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = x[i]
            s += x[i] * j
    return s


print(f(np.zeros((3, 4), np.int16), np.float32(1.5), 4), g(np.zeros((3, 4)), np.arange(3.0)))


def h(c: NDArray[np.float64], x0: float):
    s = 0.0
    last = 0
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = c[i, j] * x0
            s += c[i, j]
            if c[i, j] > 2.0:
                last = i * 10 + j
    return s, last


print(h(np.arange(12.0).reshape(3, 4), 0.5), h(np.arange(12.0).reshape(3, 4), -0.5))
print(h(np.zeros((0, 4)), 0.5), h(np.asfortranarray(np.arange(12.0).reshape(3, 4)), 0.5))
