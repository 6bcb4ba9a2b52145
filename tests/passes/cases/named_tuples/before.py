"""Named tuples of arrays: their items leave a function one by one."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np

Moments = namedtuple("Moments", ["mean", "spread", "count"])


class Fit(NamedTuple):
    slope: float
    residuals: np.ndarray
    name: str = "fit"


class Own(tuple):
    def __new__(cls, a, b):
        return tuple.__new__(cls, (b, a))


def moments(x):
    mean = np.mean(x, axis=0)
    return Moments(mean, np.sqrt(np.mean((x - mean) ** 2, axis=0)), len(x))


def named(x):
    mean = np.mean(x, axis=0)
    return Moments(spread=np.abs(x - mean), mean=mean, count=float(mean.sum()))


def fit(x, y):
    slope = np.sum(x * y) / np.sum(x * x)
    return Fit(slope, y - slope * x)


def own(x):
    return Own(np.sqrt(x), np.exp(x))


def star(x):
    parts = [np.sqrt(x), np.exp(x), 3]
    return Moments(*parts)


def same(x):
    x += 1.0
    return Moments(x, np.sqrt(x), x)


def part(x):
    return Moments(x[0], np.sqrt(x), x.max())


def nested(x):
    return Moments((np.sqrt(x), np.exp(x)), {"a": np.cos(x)}, [np.sin(x)])


def uses(x):
    m = moments(np.sqrt(x))
    return np.exp(m.mean) + m.spread


def loops(x):
    total = 0.0
    for k in range(3):
        m = moments(x + k)
        total += m.mean.sum() + m.count
    return total


def shadow(x, Moments):
    return Moments(np.sqrt(x), np.exp(x), 1)


def either(x, flag):
    if flag:
        return Moments(np.sqrt(x), np.sqrt(x), 1)
    return np.exp(x)


def made(n):
    return Moments(np.sqrt(np.arange(n)), np.exp(np.arange(n) * 0.1), n)


