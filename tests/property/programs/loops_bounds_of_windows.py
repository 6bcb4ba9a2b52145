import sys

import numpy as np


def sums(x: np.ndarray, k):
    out = np.zeros(len(x))
    for i in range(len(x)):
        s = 0.0
        for j in range(max(0, i - k), min(len(x), i + k + 1)):
            s += x[j]
        out[i] = s
    return out


def named(x: np.ndarray, k):
    out = np.zeros(len(x))
    for i in range(len(x)):
        low, high = max(0, i - k), min(len(x), i + k + 1)
        for j in range(low, high):
            out[i] += x[j] * (high - low)
    return out


def means(x: np.ndarray, half=2):
    out = np.zeros(len(x))
    for i in range(len(x)):
        low, high = max(0, i - half), min(len(x), i + half + 1)
        out[i] = x[low:high].mean()
    return out


def ahead(x: np.ndarray, k=1):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if i + k < len(x):
            out[i] = x[i + k]
    return out


x = np.linspace(-1.0, 2.0, 12) ** 2
out = {}
for k in (0, 1, 3, 50, 2**62, sys.maxsize, 2**70):
    for work in (sums, named, means, ahead):
        out[f"{work.__name__}{k}"] = work(x, k)
for k in (1.5, np.float64(1.0)):
    for work in (sums, named, means):
        try:
            out[f"{work.__name__}{k!r}"] = work(x, k)
        except TypeError as error:
            print(work.__name__, k, type(error).__name__)
np.savez(sys.argv[1], **out)
