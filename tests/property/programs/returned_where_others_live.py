"""Names that functions return live in one place, and what callers get in another."""

import numpy as np

LOG = []
SEEN = {}


def table(n, words):
    t = np.zeros(n)
    for k, w in enumerate(words):
        t[k % n] += len(w)
    return t


def twice(n):
    t = np.ones(n)
    for k in range(3):
        LOG.append(float(t[k]))
    return t, t


def kept_in_a_dict(x, words):
    t = np.zeros(len(x))
    for k, w in enumerate(words):
        t[k % len(x)] += len(w)
    SEEN["last"] = t
    return t


def known_by_two_names(words, n):
    t = np.zeros(n)
    for k, w in enumerate(words):
        t[k % n] += len(w)
    u = t
    return t, u


def changed_at_the_end(words, n):
    t = np.zeros(n)
    try:
        for k, w in enumerate(words):
            t[k % n] += len(w)
        return t
    finally:
        t[0] = -7.0


def parts(words, n):
    t = np.zeros(n)
    for k, w in enumerate(words):
        t[k % n] += len(w)
    for begin in range(0, n, 10):
        yield t
        t[begin] = -1.0


def with_a_reader(words, n):
    t = np.zeros(n)
    for k, w in enumerate(words):
        t[k % n] += len(w)

    def total():
        return float(t.sum())

    return t, total


class Keeper:
    def __init__(self, n):
        self.last = np.zeros(n)
        self.older = []

    def step(self, x):
        y = x * 2 + 1
        self.last = y
        return y

    def remember(self, words, n):
        y = np.zeros(n)
        for k, w in enumerate(words):
            y[k % n] += len(w)
        self.older.append(y)
        return y

    def fresh(self, x):
        y = x * 2 + 1
        y[0] = 0
        return y


def main():
    words = ["a", "bb", "ccc"] * 20
    t = table(50, words)
    x = np.linspace(0, 1, 50)
    s = 0.0
    for _ in range(5):
        x = np.sin(x) * t + np.cos(x)
        s += float(x.sum())
    k = Keeper(50)
    y = k.step(x)
    y += 5
    print(round(s, 8), round(float(k.last.sum() - y.sum()), 8))
    p, q = twice(8)
    p += np.arange(8)
    q *= 2
    print(p.tolist(), q.tolist(), LOG)
    z = k.fresh(x)
    z += k.fresh(z)
    print(round(float(z.sum()), 8), bool(k.last[0] == y[0]))
    d = kept_in_a_dict(x, words)
    d += np.exp(-x * x)
    print(round(float(np.sum(SEEN["last"] - d)), 8))
    a, b = known_by_two_names(words, 50)
    a += np.exp(-x * x)
    print(round(float(np.sum(a - b)), 8))
    e = changed_at_the_end(words, 50)
    e = e * np.exp(-x * x)
    print(round(float(e.sum()), 8), round(float(e[0]), 8))
    for one in parts(words, 50):
        one += np.exp(-x * x)
        print(round(float(one.sum()), 6))
    f, total = with_a_reader(words, 50)
    f += np.exp(-x * x)
    print(round(float(f.sum()) - total(), 8))
    g = k.remember(words, 50)
    g += np.exp(-x * x)
    print(round(float(np.sum(k.older[0] - g)), 8))


main()
