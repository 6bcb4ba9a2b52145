"""Several numbers, or arrays, stored in a row of an array at once: ``log[t] = time, k, e``."""

import numpy as np


def energies(x, v):
    return (x**2).sum(), 0.5 * (v**2).sum()


def simulate(x, v, steps, dt):
    log = np.zeros((steps, 3))
    short = np.zeros((steps, 2), dtype=np.float32)
    counts = np.zeros((steps, 2), dtype=int)
    for t in range(steps):
        v = v - dt * np.sin(x)
        x = (x + dt * v) % 3.0
        potential, kinetic = energies(x, v)
        log[t] = t * dt, kinetic, potential
        short[t, :] = (x.max(), v.min())
        counts[t] = [(x > 1).sum(), t]
    return x, v, log, short, counts


def extremes(x):
    table = np.empty((2, 2))
    table[0] = (x.min()), (x.max())
    table[1] = x.mean(), x.std()
    return table


def halves(x):
    n = len(x) // 2
    pair = np.zeros((2, n))
    pair[:] = x[:n], x[n : 2 * n]
    both = np.zeros((2, 2, n))
    both[0] = np.cos(x[:n]), np.sin(x[:n])
    both[1] = [np.tan(x[:n]), x[:n] ** 2]
    return pair, both


def kept(x):
    found = {}
    found["ends"] = x.min(), x.max()
    rows = [None, None]
    rows[1] = x.sum(), x.prod()
    first, last = np.zeros(2), np.zeros(2)
    first[0], last[1] = x[0], x[-1]
    return found, rows, first, last


def starred(x):
    values = x.min(), x.max()
    out = np.zeros(3)
    out[:] = *values, 1.0
    return out


x = np.linspace(0.0, 2.5, 24)
for one in simulate(x, np.cos(x), 5, 0.1):
    print(one.dtype, one.sum().round(6), one[-1])
print(extremes(x), *halves(x), starred(x))
found, rows, first, last = kept(x)
print(type(found["ends"]), *map(float, found["ends"]), type(rows[1]), *map(float, rows[1]))
print(first, last)
