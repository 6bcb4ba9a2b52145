"""Smallest distances that begin with an infinity spelled out as a string."""

import numpy as np


def hausdorff(a, b):
    worst = 0.0
    for i in range(len(a)):
        nearest = float("inf")
        for j in range(len(b)):
            d = 0.0
            for k in range(a.shape[1]):
                d += (a[i, k] - b[j, k]) ** 2
            nearest = min(nearest, d)
        worst = max(worst, nearest)
    return worst**0.5


def nearest_each(a, b):
    out = np.zeros(len(a))
    arg = np.full(len(a), -1)
    for i in range(len(a)):
        best = float("inf")
        for j in range(len(b)):
            d = abs(a[i] - b[j])
            if d < best:
                best = d
                arg[i] = j
        out[i] = best if best < float("1e9") else float("nan")
    return out, arg


def float_of_their_own(a, float):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i] * float("2")
    return out


rng = np.random.default_rng(17)
a, b = rng.random((20, 3)), rng.random((25, 3))
print(f"{hausdorff(a, b):.9f}", f"{hausdorff(a[:0], b):.9f}", f"{hausdorff(a, b[:0]):.9f}")
print(nearest_each(a[:, 0], b[:, 0]), nearest_each(a[:3, 0], b[:0, 0]))
print(float_of_their_own(a[:3, 0], len))
