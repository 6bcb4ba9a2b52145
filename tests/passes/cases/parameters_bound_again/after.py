import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=20_000)
def power(x: np.ndarray, n):
    for _ in range(n):
        x = cp.sort(x) + cp.sin(x)
        x /= cp.sqrt(cp.sum(x**2))
    return x


@device("x", from_size=40_000)
def clamped(x: np.ndarray, n):
    k = 0
    while k < n:
        smooth = cp.cumsum(cp.cos(x))
        smooth[0] = 0.0
        x = smooth
        k += 1
    return x


@device("x", writes="x", from_size=20_000)
def perhaps(x: np.ndarray, n):
    for _ in range(n):
        x = cp.sort(x) * 2.0
    x[0] = 1.0
    return x


@device("x", writes="x", from_size=20_000)
def one_before(x: np.ndarray, n):
    last = cp.cos(x)
    for _ in range(n):
        last[0] = 7.0
        last = x
        x = cp.sort(x) * 2.0
    return last
