"""Filters whose state is the elements before, in names that hand on to each other."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

F = NDArray[np.float64]


def fir3(x: F, b0: float, b1: float, b2: float) -> F:
    y = np.zeros(len(x))
    x1 = x2 = 0.5
    for i in range(len(x)):
        y[i] = b0 * x[i] + b1 * x1 + b2 * x2
        x2 = x1
        x1 = x[i]
    return y


def fir3b(x: F, b0: float, b1: float, b2: float) -> F:
    y = np.zeros(len(x))
    x1, x2, x3 = 0.25, 0.5, -1.0
    for i in range(len(x)):
        y[i] = b0 * x[i] + b1 * x1 + b2 * x2 + x3
        x3, x2, x1 = x2, x1, x[i]
    return y


def fir3c(x: F, b0: float, b1: float, b2: float) -> F:
    y = np.zeros(len(x))
    x1, x2 = 0.25, 0.5
    for i in range(len(x) - 1, 1, -2):
        v = x[i] * 2
        y[i] = b0 * v + b1 * x1 + b2 * x2
        x1, x2 = v, x1
    return y


def ring(x: F) -> F:
    y = np.zeros(len(x))
    a, b = 0.25, 0.5
    for i in range(len(x)):
        y[i] = x[i] + a
        a, b = b, a
    return y


def enum(x: F) -> F:
    y = np.zeros(len(x))
    x1 = x2 = 0.0
    for i, v in enumerate(x):
        y[i] = (v + x1 + x2) / 3
        x2 = x1
        x1 = v
    return y


def inplace(x: F) -> F:
    x1 = x2 = 0.0
    for i in range(len(x)):
        v = x[i]
        x[i] = v + x1 + x2
        x2 = x1
        x1 = v
    return x


results = {}
for n in (0, 1, 2, 3, 9, 40):
    g = np.random.default_rng(n)
    x = g.normal(size=n)
    for f in (fir3, fir3b, fir3c):
        results[f"{f.__name__}_{n}"] = f(x, 0.1, 0.2, 0.3)
    for f in (ring, enum, inplace):
        results[f"{f.__name__}_{n}"] = f(x.copy())
np.savez(sys.argv[1], **results)
