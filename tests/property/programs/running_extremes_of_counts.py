import numpy as np
from numpy.typing import NDArray


def top(a: NDArray[np.uint64], out: NDArray[np.uint64]):
    y = 1.0
    for i in range(len(a)):
        y = max(y, a[i])
        out[i] = y
    return out


def top2(a: NDArray[np.int64], out: NDArray[np.float64]):
    y = 1.0
    for i in range(len(a)):
        y = max(y, a[i])
        out[i] = y
    return out


print(top(np.array([0, 3, 2], np.uint64), np.zeros(3, np.uint64)))
print(top2(np.array([0, 3, 2]), np.zeros(3)))


def top3(a: NDArray[np.int64], y, out: NDArray[np.float64]):
    for i in range(len(a)):
        y = max(y, a[i])
        out[i] = y
    return out, y


def top4(a: NDArray[np.int64], out: NDArray[np.float64]):
    y = 0
    for i in range(len(a)):
        y = max(y, a[i])
        out[i] = y
    return out


print(top3(np.array([0, 3, 2]), 1.0, np.zeros(3)), top3(np.array([0, 3, 2]), 1, np.zeros(3)), top3(np.array([0, 3, 2]), np.float64(1), np.zeros(3)))
print(top4(np.array([0, 3, 2]), np.zeros(3)))
