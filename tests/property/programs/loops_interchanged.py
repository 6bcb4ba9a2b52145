"""Loops over time around loops over elements that do not touch one another."""

import sys

import numpy as np


def smoothed(x, alpha):
    n, channels = x.shape
    y = np.empty_like(x)
    for k in range(channels):
        y[0, k] = x[0, k]
    for i in range(1, n):
        for k in range(channels):
            y[i, k] = alpha * x[i, k] + (1 - alpha) * y[i - 1, k]
    return y


def covariance(r, weight):
    t, n = r.shape
    c = np.zeros((n, n))
    for k in range(t):
        for i in range(n):
            for j in range(i + 1):
                c[i, j] = weight * c[i, j] + (1 - weight) * r[k, i] * r[k, j]
    return c


def neighbours(u, steps):
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return u


def shifted(u, steps):
    """Old values of the next element: in another order, others."""
    for _ in range(steps):
        for i in range(len(u) - 1):
            u[i] = 0.5 * u[i + 1] + u[i]
    return u


def growing(x, steps):
    for t in range(steps):
        for i in range(t, len(x)):
            x[i] = x[i] * 1.5 + t
    return x


def later(x, steps):
    t = i = -1
    for t in range(steps):
        for i in range(len(x)):
            x[i] = x[i] * 0.5 + t
    return x, t, i


def stopped(x, steps):
    for t in range(steps):
        for i in range(len(x)):
            if x[i] > 3:
                break
            x[i] += t
    return x


def skipping(x, steps):
    for t in range(steps):
        for i in range(len(x)):
            if x[i] > 3:
                continue
            x[i] += t * 0.25
    return x


def carried(x, steps):
    last = 0.0
    for t in range(steps):
        for i in range(len(x)):
            x[i] = x[i] * 0.5 + last
            last = x[i]
    return x, last


def beyond(x, steps):
    """The error comes in the second round, when the first one is done."""
    try:
        for t in range(steps):
            for i in range(len(x)):
                x[i] = x[i] + x[i + t * 0] * 0.5
                x[i * (t + 1)] += 0.0
    except IndexError:
        return x, True
    return x, False


def summed(x, steps):
    total = 0.0
    for t in range(steps):
        for i in range(len(x)):
            x[i] = x[i] * 0.5 + t
            total += x[i]
    return x, total


def counted(x, steps):
    t = 0
    while t < steps:
        for i in range(len(x)):
            x[i] = x[i] * 0.5 + t
        t += 1
    return x, t


def ping(x, steps):
    y = np.zeros_like(x)
    for t in range(steps):
        for i in range(len(x)):
            y[i] = x[i] * 0.5 + y[i]
        x, y = y, x
    return x


def of_rows(x, table):
    for t in range(len(table)):
        for i, row in enumerate(x):
            for j in range(len(row)):
                row[j] = row[j] * table[t] + i
    return x


def scattered(x, index, steps):
    for t in range(steps):
        for i in range(len(index)):
            x[index[i]] = x[index[i]] * 0.5 + t
    return x


rng = np.random.default_rng(0)
x = rng.normal(size=13)
table = rng.normal(size=(11, 5))
out = {}
out["smoothed"] = smoothed(table, 0.3)
out["covariance"] = covariance(table, 0.9)
out["neighbours"] = neighbours(x.copy(), 4)
out["shifted"] = shifted(x.copy(), 4)
out["growing"] = growing(x.copy(), 20)
for steps in (0, 3):
    out[f"later{steps}"], out[f"t{steps}"], out[f"i{steps}"] = later(x.copy(), steps)
out["nothing"], out["t_only"], out["i_none"] = later(x[:0].copy(), 3)
out["stopped"] = stopped(x.copy(), 5)
out["skipping"] = skipping(x.copy(), 9)
out["carried"], out["last"] = carried(x.copy(), 3)
out["beyond"], out["raised"] = beyond(x.copy(), 3)
out["summed"], out["total"] = summed(x.copy(), 3)
out["counted"], out["count"] = counted(x.copy(), 3)
out["ping"] = ping(x.copy(), 3)
out["rows"] = of_rows(table.copy(), x)
out["scattered"] = scattered(x.copy(), np.array([1, 3, 3, 2]), 3)
np.savez(sys.argv[1], **out)
