"""Lists filled in loops, and arrays made of them."""

import math

import numpy as np


def running(x):
    s = 0.0
    out = []
    for v in x:
        s += v
        out.append(s)
    return np.array(out)


def best(x):
    m = -1e300
    out = []
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
        out.append(m)
    return np.array(out)


def both(x, y):
    left = []
    right = []
    for a, b in zip(x, y):
        left.append(a + b)
        right.append(a < b)
    return np.array(left), np.asarray(right)


def branches(x, t):
    out = []
    for v in x:
        if v > t:
            out.append(v - t)
        else:
            out.append(t * 0.5)
    a = np.array(out)
    return a * 2


def counted(n):
    out = []
    for i in range(n):
        out.append(i * i % 7)
    return np.array(out)


def empty(x):
    out = []
    for i in range(2, len(x)):
        out.append(int(x[i] > 0))
    return np.array(out)


def total(x):
    out, n = [], 0
    t = 0.0
    vals = []
    for i, v in enumerate(x):
        vals.append(v * i)
        t += v
    return np.array(vals, dtype=float), t


def rows(m):
    norms = []
    for row in m:
        s = 0.0
        for j in range(len(row)):
            s += row[j] * row[j]
        norms.append(math.sqrt(s))
    return np.array(norms)


def rebound(x):
    y = []
    for v in x:
        y.append(v + 1)
    y = np.array(y)
    return y[::-1] + y


def gathered(x, idx):
    out = []
    for i in idx:
        out.append(x[i] * 2)
    return np.array(out)


def kinds(x):
    out = []
    for v in x:
        out.append(0 if v < 0 else v)
    return np.array(out)


def looped(x, steps):
    total = np.zeros(len(x))
    for _ in range(steps):
        new = []
        for i in range(len(x)):
            new.append(x[i] + total[i])
        total = np.array(new)
    return total


def looped(x, steps):
    total = np.zeros(len(x))
    for _ in range(steps):
        new = []
        for i in range(len(x)):
            new.append(x[i] + total[i])
        total = np.array(new)
    return total


def outer(m):
    cols = []
    for row in m:
        vals = []
        for v in row:
            vals.append(v * v)
        cols.append(np.array(vals).sum())
    return np.array(cols)


def table(m):
    out = np.zeros_like(m)
    for i in range(m.shape[0]):
        vals = []
        for j in range(m.shape[1]):
            vals.append(m[i, j] * 2)
        out[i] = np.array(vals)
    return out


def nested(n, m, x):
    out = []
    for i in range(n):
        for j in range(m):
            out.append(x[i] * x[j])
    return np.array(out).reshape(n, m)


def compared(x, y):
    d = np.array([abs(a - b) for a, b in zip(x, y)])
    e = np.array([1.0 if v > 0 else 0.0 for v in x])
    i = 2
    g = np.asarray([x[i] * i for i in range(len(x))])
    return d, e, g * i


rng = np.random.default_rng(3)
x = rng.normal(size=4000)
y = rng.normal(size=3900)
idx = rng.integers(-4000, 4000, size=5000)
for r in (running(x), best(x), *both(x, y), branches(x, 0.25), branches(x, 1), counted(5000), counted(0),
          empty(x), empty(x[:1]), *total(x), rows(rng.normal(size=(300, 20))), rebound(x), rebound(x.astype(np.float32)),
          rebound(np.arange(9)), rebound(np.arange(0)), gathered(x, idx), kinds(x), kinds(np.abs(x)), looped(x, 4),
          both(x > 0, y), counted(3)):
    r = np.asarray(r)
    print(r.dtype, r.shape, r.ravel()[:3].tolist(), float(r.sum()) if r.size else 0)
try:
    gathered(x, np.array([1, 5000]))
except IndexError as e:
    print("IndexError", e)
for r in compared(x, y):
    print(r.dtype, r.shape, r.sum())
x = np.linspace(0, 1, 3000)
print(looped(x, 4).sum())
m = np.random.default_rng(1).normal(size=(50, 40))
print(outer(m).sum(), table(m).sum(), nested(20, 30, x).sum())
