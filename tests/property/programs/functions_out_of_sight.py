"""Functions that go where nobody sees what becomes of them."""
import functools

import numpy as np


def cost(x):
    return float(np.sum((x - 1.0) ** 2))


def gradient(x):
    return 2.0 * (x - 1.0)


def descend(f, df, x, rate=0.1, n=20):
    for _ in range(n):
        x = x - rate * df(x)
    return x, f(x)


def shifted(by, x):
    return np.sqrt(np.abs(x)) + by


def apply(f, x):
    return f(x)


def unused():
    return descend(cost, gradient, [1, 2, 3])


def doubled(x):
    x *= 2.0
    return x


def named(f=doubled):
    return f(np.ones(4))


def main():
    x = np.linspace(-1.0, 3.0, 300)
    best, value = descend(cost, gradient, x)
    print(best.mean().round(8), round(value, 8))
    print(apply(functools.partial(shifted, 2.0), x).sum().round(8))
    print(sum(map(cost, [x, x * 2])), sorted([x[:3], x[:2]], key=len)[0])
    a = np.arange(6.0)
    b = apply(doubled, a)
    print(a, b is a, apply(doubled, a[2:4]), a)
    print(named())
    print(apply(len, x), apply(str, 3), apply(lambda v: v.sum(), x).round(6))


if __name__ == "__main__":
    main()
