import sys
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


x = np.random.default_rng(1).random((6, 4))
out = {}
for f in (moments, named, own, star, same, part, nested, uses, loops):
    r = f(x.copy())
    print(f.__name__, type(r).__name__)
    if isinstance(r, tuple):
        for k, v in enumerate(r):
            print(k, type(v).__name__)
            for q, w in enumerate(v if isinstance(v, (tuple, list)) else v.values() if isinstance(v, dict) else [v]):
                out[f"{f.__name__}{k}{q}"] = w
    else:
        out[f.__name__] = r
c = x.copy()
r = same(c)
print(r.mean is c, r.count is c, np.array_equal(c, x + 1))
r = fit(x[0], x[1])
print(type(r.slope).__name__, r.name)
out["fit"] = r.residuals
out["slope"] = r.slope
out["sh"] = shadow(x, lambda a, b, c: a + b)
out["e1"] = either(x, False)
out["e2"] = either(x, True).mean
out["m"] = made(5).spread
np.savez(sys.argv[1], **out)
