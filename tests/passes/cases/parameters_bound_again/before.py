import numpy as np


def power(x: np.ndarray, n):
    for _ in range(n):
        x = np.sort(x) + np.sin(x)
        x /= np.sqrt(np.sum(x**2))
    return x


def clamped(x: np.ndarray, n):
    k = 0
    while k < n:
        smooth = np.cumsum(np.cos(x))
        smooth[0] = 0.0
        x = smooth
        k += 1
    return x


def perhaps(x: np.ndarray, n):
    for _ in range(n):
        x = np.sort(x) * 2.0
    x[0] = 1.0
    return x


def one_before(x: np.ndarray, n):
    last = np.cos(x)
    for _ in range(n):
        last[0] = 7.0
        last = x
        x = np.sort(x) * 2.0
    return last
