"""Running sums, extremes and counts in each step of a loop that stays in Python."""

import sys

import numpy as np


def cumsum_in_time(x):
    out = np.zeros(x.shape[0])
    c = np.zeros(x.shape[1])
    for t in range(x.shape[0]):
        c[0] = x[t, 0]
        for i in range(1, x.shape[1]):
            c[i] = c[i - 1] + x[t, i]
        out[t] = c[-1]
    return out, c


def appended(x):
    res = []
    for t in range(3):
        s = 0.0
        c = np.zeros(x.shape[1])
        for i in range(x.shape[1]):
            s += x[t, i]
            c[i] = s
        res.append(c)
    return res[0], res[1], res[2]


def across(x):
    s = 0.0
    c = np.zeros(len(x))
    for t in range(4):
        for i in range(len(x)):
            s += x[i] * t
            c[i] += s
    return c, s


def until(x):
    n = 0
    c = np.zeros(len(x))
    while n < 5:
        s = 0.0
        for i in range(len(x)):
            s += x[i]
            c[i] = s
        for i in range(len(x)):
            x[i] = x[i] / s
        n += 1
    return c, x


def packed_each_time(x):
    y = x.copy()
    n = len(x)
    for t in range(3):
        k = 0
        for i in range(n):
            if y[i] > -1 + 0.3 * t:
                y[k] = y[i]
                k += 1
        n = k
    return y[:n], n


def resampling(p, z, u):
    n = len(p)
    means = np.zeros(len(z))
    w = np.zeros(n)
    c = np.zeros(n)
    for t in range(len(z)):
        for i in range(n):
            p[i] = p[i] + 0.1 * z[t, i]
            w[i] = np.exp(-p[i]**2)
        s = 0.0
        for i in range(n):
            s += w[i]
        tot = 0.0
        for i in range(n):
            tot += w[i] / s
            c[i] = tot
        new = np.zeros(n)
        for i in range(n):
            v = (i + u[t]) / n
            j = 0
            while j < n - 1 and c[j] < v:
                j += 1
            new[i] = p[j]
        p = new
        m = 0.0
        for i in range(n):
            m += p[i]
        means[t] = m / n
    return means, p


def int_running(x):
    s = 0
    c = np.zeros(len(x), dtype=np.int64)
    for t in range(4):
        for i in range(len(x)):
            s += x[i]
            c[i] = c[i] * 2 + s
    return c, s


def cummax_time(x):
    c = np.zeros(len(x))
    for t in range(4):
        m = x[0] - 1
        for i in range(len(x)):
            m = max(m, x[i])
            c[i] += m
        for i in range(len(x)):
            x[i] = x[i] - 0.1 * c[i]
    return c, x


def main(target):
    rng = np.random.default_rng(8)
    out = {}
    for k, one in enumerate(cumsum_in_time(rng.normal(size=(5, 40)))):
        out[f"cumsum_in_time{k}"] = np.asarray(one)
    for k, one in enumerate(appended(rng.normal(size=(5, 40)))):
        out[f"appended{k}"] = np.asarray(one)
    for k, one in enumerate(across(rng.normal(size=40))):
        out[f"across{k}"] = np.asarray(one)
    for k, one in enumerate(until(np.abs(rng.normal(size=40)))):
        out[f"until{k}"] = np.asarray(one)
    for k, one in enumerate(packed_each_time(rng.normal(size=40))):
        out[f"packed_each_time{k}"] = np.asarray(one)
    for k, one in enumerate(resampling(rng.normal(size=50), rng.normal(size=(6, 50)), rng.random(6))):
        out[f"resampling{k}"] = np.asarray(one)
    for k, one in enumerate(int_running(rng.integers(0, 5, 40))):
        out[f"int_running{k}"] = np.asarray(one)
    for k, one in enumerate(cummax_time(rng.normal(size=40))):
        out[f"cummax_time{k}"] = np.asarray(one)
    np.savez(target, **out)


if __name__ == "__main__":
    main(sys.argv[1])
