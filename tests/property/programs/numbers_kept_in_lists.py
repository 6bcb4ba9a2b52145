"""Numbers under names of their own that go into tuples, lists and dicts: logs of simulations."""

import numpy as np


def forces(x, box):
    d = x[:, None] - x[None, :]
    d -= box * np.rint(d / box)
    inside = np.where(d * d < 1.0, np.exp(-d * d), 0.0)
    energy = 0.5 * inside.sum()
    return (inside * d).sum(axis=1), energy


def damp(v, rate):
    kinetic = 0.5 * (v**2).sum()
    v *= 1.0 - rate
    return kinetic


def simulate(n, steps, dt=0.01, box=4.0):
    x = np.linspace(0.0, box, n, endpoint=False)
    v = np.cos(3.0 * x)
    f, e = forces(x, box)
    log, best, named = [], [], {}
    for t in range(steps):
        v += dt * f
        x = np.mod(x + dt * v, box)
        f, e = forces(x, box)
        k = damp(v, 0.01) if t % 3 == 0 else 0.5 * (v**2).sum()
        log.append((t * dt, k, e))
        best.append(e)
        named[t] = k
    return x, np.array(log), np.array(best), named


def counted(x):
    total = x.sum()
    pair = total, x
    total += 1.0
    row = [total, total * 2, 3]
    total -= 5.0
    return pair[0], row, np.array(row), total


def swapped(x, n):
    low, high = x.min(), x.max()
    seen = []
    for _ in range(n):
        low, high = high, low + 1.0
        seen.append((low, high))
    return seen[-1], np.array(seen).sum()


x, log, best, named = simulate(40, 9)
print(x[:4].round(6), log.shape, log.dtype, log[::4].round(6), best.round(6)[-1])
print({t: float(k.round(6)) for t, k in named.items() if t > 6}, best.argmin())
first, row, array, total = counted(np.arange(5.0))
print(float(first), [float(one) for one in row], array.dtype, array, float(total))
last, added = swapped(np.linspace(-1.0, 1.0, 7), 4)
print([float(one) for one in last], float(added))
