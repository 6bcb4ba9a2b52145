"""Loops that call functions which the function around them defines."""

import math
import sys

import numpy as np

RADIANS = math.pi / 180


def predator(n, dt):
    w = 2.5

    def rate(u, v):
        """Growth less what is eaten."""
        return u * (1.0 - u) - w * v

    u = np.linspace(0, 1, n)
    v = np.linspace(1, 0, n)
    for _ in range(5):
        for i in range(n):
            du = rate(u[i], v[i])
            dv = rate(v[i], u[i])
            u[i] += dt * du
            v[i] += dt * dv
    return u, v


def smoothed(x, sigma):
    weight = lambda r: math.exp(-r * r / (2 * sigma**2))
    out = np.zeros(len(x))
    for i in range(len(x)):
        total = 0.0
        for j in range(len(x)):
            total += weight(x[i] - x[j])
        out[i] = total
    return out


def limited(x):
    def limit(v, low=-1.0):
        if v < low:
            return low
        return min(v, 1.0)

    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = limit(x[i])
    return out


def changing(x):
    """The number that the function reads is another one in each iteration."""
    k = 0
    scaled = lambda v: v * k
    out = np.zeros_like(x)
    for i in range(len(x)):
        k = i % 3
        out[i] = scaled(x[i]) + scaled(1)
    return out, scaled(2.0)


def last_of(x):
    last = 0.0

    def shown():
        return last + 1

    out = np.zeros_like(x)
    for i in range(len(x)):
        last = x[i] * 2
        out[i] = last
    return out, shown()


def lazily(x, y):
    """An argument is evaluated although the function does not need it."""
    either = lambda flag, v: 0.0 if flag else v
    out = np.zeros_like(x)
    try:
        for i in range(len(x)):
            out[i] = either(x[i] > 0, y[i])
    except IndexError:
        out[:] = -1
    return out


def redefined(x):
    f = lambda v: v + 1
    if len(x) > 3:
        f = lambda v: v - 1
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = f(x[i])
    return out


def composed(x, a):
    inner = lambda v: v * a
    outer = lambda v: inner(v) + inner(v + 1)
    total = 0.0
    for v in x:
        total += outer(v) * math.cos(v * RADIANS)
    return total


def of_an_array(x, table):
    looked_up = lambda k: table[k]
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[i] * looked_up(i)
    return out


def clip(v, low=-1.0, high=1.0):
    if v < low:
        return low
    return min(v, high)


def clipped(x, top):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = clip(x[i], high=top) + clip(low=x[i], v=-0.5) + clip(v=x[i])
    return out


rng = np.random.default_rng(0)
x = rng.normal(size=23)
u, v = predator(17, 0.01)
changed, after = changing(x)
lasting, shown = last_of(x)
np.savez(
    sys.argv[1],
    u=u,
    v=v,
    smoothed=smoothed(x, 0.7),
    limited=limited(x),
    changed=changed,
    after=after,
    lasting=lasting,
    shown=shown,
    lazy=lazily(np.abs(x) + 1, x[:5].copy()),
    lazy_whole=lazily(x, x),
    redefined=redefined(x),
    composed=composed(x, 2),
    by_array=composed(x, 2.5),
    clipped=clipped(x, 0.25),
    looked_up=of_an_array(x, x[::-1].copy()),
)
