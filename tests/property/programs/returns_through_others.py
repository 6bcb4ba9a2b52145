"""Cases through partials, callbacks, subclasses, recursion and decorators."""
import functools

import numpy as np


class Base:
    def __init__(self, n):
        self.x = np.linspace(0, 1, n)

    def solve(self, z, full=False):
        k = np.exp(-(z[:, None] - self.x[None, :]) ** 2)
        if full:
            return k.sum(axis=1), k
        return k.sum(axis=1)

    def tree(self, z, depth, pair=False):
        if pair:
            left = self.tree(z[::2], depth - 1)
            return left, self.tree(z[1::2], depth - 1)
        if depth == 0:
            return z.sum() + np.zeros(3)
        a, b = self.tree(z * 2, depth, pair=True)
        return a + b


class Child(Base):
    def solve(self, z, full=True):
        k = np.cos(z[:, None] - self.x[None, :])
        if full:
            return k.sum(axis=1), k
        return k.sum(axis=0)


def timed(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)

    return inner


class Other:
    def __init__(self, n):
        self.x = np.arange(n) / n

    @timed
    def run(self, z, full=False):
        if full:
            return np.sqrt(z + self.x), z
        return np.sqrt(z - self.x + 2)

    def apply(self, f, z):
        return f(z)

    def cost(self, z, grad=True):
        if grad:
            return float((z * self.x).sum()), z * 2
        return float((z * z * self.x).sum())


def main():
    z = np.linspace(0, 2, 30)
    b, c = Base(40), Child(40)
    f = functools.partial(b.solve, full=True)
    v, k = f(z)
    print(round(float(v.sum()), 6), k.shape)
    g = functools.partial(b.solve, z, True)
    v, k = g()
    print(round(float(v.sum()), 6), k.shape)
    for m in (b, c):
        v, k = m.solve(z, full=True)
        print(round(float(v.sum()), 6), round(float(k.sum()), 6))
    v = b.solve(z)
    w, k = c.solve(z)
    print(round(float(v.sum()), 6), round(float(w.sum()), 6))
    print(b.tree(z, 3).round(6))
    o = Other(30)
    p, q = o.run(z, full=True)
    print(round(float(p.sum()), 6), round(float(o.run(z).sum()), 6))
    print(round(float(o.apply(b.solve, z).sum()), 6))
    s, t = o.apply(lambda y: b.solve(y, True), z)
    print(round(float(s.sum()), 6), t.shape)
    print([round(float(r.sum()), 6) for r in map(b.solve, [z, z + 1])])
    print([round(float(r[0].sum()), 6) for r in map(c.solve, [z, z + 1])])
    print(round(sum(o.cost(z + i)[0] for i in range(3)), 6), round(o.cost(z, False), 6))
    solve = b.solve
    print(round(float(solve(z).sum()), 6), solve(z, full=True)[1].shape)
    print(round(float(Base.solve(c, z).sum()), 6))
    u, _ = max([o.cost(z, i > 1) for i in range(2, 4)], key=lambda r: r[0])
    print(round(u, 6))


if __name__ == "__main__":
    main()
