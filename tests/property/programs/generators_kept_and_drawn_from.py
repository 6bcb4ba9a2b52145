"""Generators under a name, of which items are drawn by hand."""
import numpy as np


def walk(x, steps, rng):
    for _ in range(steps):
        x = x + 0.1 * rng.normal(size=x.shape)
        yield np.sin(x)


def windows(x, size):
    for k in range(0, len(x) - size + 1, size):
        yield x[k:k + size]


def forever(x):
    while True:
        x = np.cos(x) * 1.1
        yield x, x.sum()


def states(x):
    for k in range(5):
        x[:] = x * 0.5 + np.sin(x)
        yield x


def main():
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, 5000)
    for _ in range(20):
        x = np.sin(x) + 0.3
    steps = walk(x, 10, rng)
    first = next(steps)
    total = first.sum()
    for s in steps:
        total = total + s.max()
    print(total)
    w = windows(x, 1000)
    a = next(w)
    a[:] = a * 2.0
    b = next(w, None)
    print(x.sum(), a.sum(), b.sum())
    f = forever(x)
    for _ in range(10):
        y, s = next(f)
    print(y.sum(), s)
    st = states(x)
    before = next(st)
    x += 1.0
    after = next(st)
    print(before is after, before.sum(), x.sum())
    for k, z in enumerate(st):
        x *= 0.9
        print(k, z.sum())
    e = windows(x, 4000)
    next(e)
    print(next(e, None))


main()
