"""Named tuples of arrays: their items leave a function one by one."""

from collections import namedtuple
from typing import NamedTuple

import cupy as cp
import numpy as np
from gpuport.runtime import device

Moments = namedtuple("Moments", ["mean", "spread", "count"])


class Fit(NamedTuple):
    slope: float
    residuals: np.ndarray
    name: str = "fit"


class Own(tuple):
    def __new__(cls, a, b):
        return tuple.__new__(cls, (b, a))


@device("x")
def moments(x):
    mean = cp.mean(x, axis=0)
    return Moments(mean, cp.sqrt(cp.mean((x - mean) ** 2, axis=0)), len(x))


@device("x")
def named(x):
    mean = cp.mean(x, axis=0)
    return Moments(spread=cp.abs(x - mean), mean=mean, count=float(mean.sum()))


@device("x", "y", require="x")
def fit(x, y):
    slope = cp.sum(x * y) / cp.sum(x * x)
    return Fit(slope, y - slope * x)


def own(x):
    return Own(np.sqrt(x), np.exp(x))


def star(x):
    parts = [np.sqrt(x), np.exp(x), 3]
    return Moments(*parts)


@device("x", writes="x")
def same(x):
    x += 1.0
    return Moments(x, cp.sqrt(x), x)


def part(x):
    return Moments(x[0], np.sqrt(x), x.max())


@device("x")
def nested(x):
    return Moments((cp.sqrt(x), cp.exp(x)), {"a": cp.cos(x)}, [cp.sin(x)])


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


@device("x")
def either(x, flag):
    if flag:
        return Moments(cp.sqrt(x), cp.sqrt(x), 1)
    return cp.exp(x)


def made(n):
    return Moments(np.sqrt(np.arange(n)), np.exp(np.arange(n) * 0.1), n)


