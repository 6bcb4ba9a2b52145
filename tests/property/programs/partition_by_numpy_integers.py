import sys

import numpy as np


def smallest(a: np.ndarray, i: np.ndarray):
    return np.partition(np.exp(a) * np.sin(a), i[0])[0]


def order(a: np.ndarray):
    found = np.exp(-a) * np.cos(a)
    middle = np.argmax(found)
    ranks = np.argpartition(found, middle)
    return np.partition(found, kth=middle)[middle], found[ranks[middle]], np.partition(found, 3)[3]


def added(x, names=()):
    y = np.cos(x) + np.sin(x)
    total = sum(y * k for k in names)
    return y, total


a = np.linspace(0, 1, 6)
print(smallest(a, np.array([2, 1])), type(added(a)[1]).__name__)
np.savez(sys.argv[1], order=np.array(order(a)), total=added(a, (1.0, 2.0))[1])
