"""Generators of which more is read than items stay with the host."""
import numpy as np


def batches(x, size):
    for k in range(0, len(x), size):
        yield x[k:k + size]


class Feed:
    def __init__(self, x, size):
        self.source = batches(x, size)

    def get(self):
        return next(self.source)


def outer(x):
    g = batches(x, 500)
    h = g
    return next(g).sum() + next(h).sum()


def handed(x):
    g = batches(x, 500)
    return use(g)


def use(g):
    return sum(b.sum() for b in g)


def listed(x):
    g = batches(x, 500)
    return [b.max() for b in g]


def stops(x):
    g = batches(x, 2000)
    n = 0
    while True:
        try:
            b = next(g)
        except StopIteration:
            break
        n += b.shape[0]
        x = np.sin(x)
    return n, x.sum()


def sent(x):
    g = batches(x, 2000)
    a = next(g)
    g.close()
    return a.sum()


def lazy(x):
    g = batches(x, 1000)
    k = (b * 2 for b in g)
    x = np.cos(x)
    return next(k).sum() + x.sum()


def main():
    x = np.linspace(0, 1, 5000)
    for _ in range(20):
        x = np.sin(x) + 0.3
    f = Feed(x, 1000)
    print(f.get().sum(), f.get().sum())
    print(outer(x), handed(x), listed(x)[0], stops(x), sent(x), lazy(x))


main()
