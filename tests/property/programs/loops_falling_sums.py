"""Running sums that fall by numbers of narrower and unsigned types, and that change twice."""

import sys

import numpy as np
from numpy.typing import NDArray


def wider(x: NDArray[np.uint32]):
    out = np.zeros(len(x))
    y = 0.0
    for i in range(len(x)):
        y -= x[i]
        out[i] = y
    return out


def narrow(x: NDArray[np.int8]):
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = out[i - 1] - x[i]
    return out


def twice(b: NDArray[np.int16], a: NDArray[np.uint64]):
    s = 0
    y = 0
    for i in range(len(a)):
        y += b[i]
        y -= a[i]
        s = max(s, y)
    return np.array([s, y], dtype=float)


def both(b: NDArray[np.int8]):
    out = np.zeros(len(b))
    y = 0.0
    for i in range(len(b)):
        y += b[i]
        y += b[i]
        out[i] = y
    return out


def given(x: NDArray[np.int8]):
    out = np.zeros(len(x))
    y = 0.0
    for i in range(len(x)):
        y -= np.float64(x[i])
        out[i] = y
    return out


def before(x: NDArray[np.uint8]):
    out = np.zeros(len(x))
    y = 0.0
    for i in range(len(x)):
        out[i] = y
        y -= x[i]
    return out


least = np.full(9, -128, dtype=np.int8)
u = np.arange(1, 10)
np.savez(
    sys.argv[1],
    wider=wider(u.astype(np.uint32)),
    narrow=narrow(least),
    twice=twice(least.astype(np.int16), u.astype(np.uint64)),
    both=both(least),
    given=given(least),
    before=before(u.astype(np.uint8)),
)
