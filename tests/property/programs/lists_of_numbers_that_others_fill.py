"""Lists of numbers that get arrays in functions, methods, closures and in rows of others."""

import numpy as np


class Store:
    def __init__(self, n):
        self.slots = [0] * n
        self.best = {"v": 0.0}
        self.n = n

    def put(self, i, x):
        self.slots[i] = np.convolve(x, x[: i + 3], "same")

    def total(self, x):
        s = np.convolve(x, x[:9], "same")
        for k in range(self.n):
            s = s + self.slots[k]
        return s

    def keep(self, x):
        self.best["v"] = np.convolve(x, x[:5], "same")
        return x * self.best["v"]


def fill(slots, x):
    for i in range(len(slots)):
        slots[i] = np.convolve(x, x[: i + 2], "same")


def use(x):
    slots = [0, 0, 0]
    fill(slots, x)
    t = np.convolve(x, x[:7], "same")
    t += slots[1]
    return t * slots[2]


def table(x, n):
    t = [[0.0] * n for _ in range(n)]
    for i in range(n):
        row = t[i]
        for j in range(n):
            row[j] = np.convolve(x, x[: i + j + 2], "same")
    return np.convolve(x, x[:4], "same") + t[1][0] - t[0][1] * t[-1][-1]


def hist(x):
    h = [0.0]
    s = np.convolve(x, x[:4], "same")
    for k in range(3):
        s = s + h[-1]
        h.append(np.convolve(s, x[: k + 2], "same"))
    return s


def ring(x):
    a, b = [0, 0], [0, 0]
    a[0], b[1] = np.convolve(x, x[:3], "same"), np.convolve(x, x[:4], "same")
    a, b = b, a
    s = np.convolve(x, x[:5], "same")
    return s * a[1] + b[0] + a[0]


def maker():
    return [0, 0, 0]


def made(x):
    q = maker()
    q[1] = np.convolve(x, x[:3], "same")
    return np.convolve(x, x[:5], "same") * q[1] + q[0]


def counts(x):
    c = [0, 0]
    for v in range(5):
        c[v % 2] += 1
    w = np.convolve(x, x[:3], "same") / c[0] + c[1]
    c[0] += w
    return w * c[0]


def inner(x):
    acc = [0]

    def add(y):
        acc[0] = acc[0] + np.convolve(y, y[:3], "same")

    add(x)
    add(x * 2)
    return np.convolve(x, x[:5], "same") * acc[0]


def by_star(x):
    q = [0, 0]
    q[0], *q[1:] = np.convolve(x, x[:3], "same"), 1.0, 2.0
    return np.convolve(x, x[:5], "same") * q[0] + q[2]


def main():
    x = np.sin(np.arange(2000.0))
    s = Store(3)
    for i in range(3):
        s.put(i, x)
    print(f"{s.total(x).sum():.6f} {s.keep(x).sum():.6f}")
    print(f"{use(x).sum():.6f}")
    print(f"{table(x, 3).sum():.6f}")
    print(f"{hist(x).sum():.6f}")
    print(f"{ring(x).sum():.6f}")
    print(f"{made(x).sum():.6f}")
    print(f"{counts(x).sum():.6f}")
    print(f"{inner(x).sum():.6f}")
    print(f"{by_star(x).sum():.6f}")


main()
