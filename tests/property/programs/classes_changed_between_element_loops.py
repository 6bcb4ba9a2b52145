"""Loops in which a function, or one that a method calls, gives an object other attributes."""

import sys
import numpy as np


class M:
    def __init__(self, n):
        self.k = 1.0
        self.u = np.linspace(0.0, 1.0, n)
        self.w = np.ones(n)

    def rate(self, x):
        return x * self.k

    def ticked(self, x):
        tick()
        return x * self.k


def bump(m):
    m.k *= 2.0


def swap(m):
    m.w = m.w * 3.0
    return 0


def tick():
    m.k += 0.5


def ticking(m, steps):
    v = np.zeros(len(m.u))
    for t in range(steps):
        z = m.ticked(1.0)
        for i in range(len(m.u)):
            v[i] = v[i] + m.rate(m.u[i]) + z
    return v


def run(m, steps):
    v = np.zeros(len(m.u))
    for t in range(steps):
        bump(m)
        for i in range(len(m.u)):
            v[i] = v[i] + m.rate(m.u[i])
    return v


def plain(m, steps):
    v = np.zeros(len(m.u))
    for t in range(steps):
        swap(m)
        for i in range(len(m.u)):
            v[i] = v[i] + m.u[i] * m.w[i] * m.k
    return v


def picked(x, y):
    order = np.argsort(x)

    def spoil():
        order[1] = order[0]

    spoil()
    for k in range(len(order)):
        y[order[k]] = y[order[k]] * 2.0 + k
    return y


m = M(40)
a = run(m, 4)
b = plain(m, 3)
d = ticking(m, 3)
c = picked(np.cos(np.arange(30.0)), np.ones(30))
print(a.sum(), b.sum(), c.sum())
np.savez(sys.argv[1], a=a, b=b, c=c, d=d)
