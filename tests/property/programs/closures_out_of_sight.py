"""Decorators, pipelines, properties and keys: what is called out of sight."""
import numpy as np
import sys


def timeit(label):
    def decorate(f):
        def wrapper(*args, **kwargs):
            out = f(*args, **kwargs)
            print(label, file=sys.stderr)
            return out
        return wrapper
    return decorate


@timeit("smooth")
def smooth(x):
    return 0.5 * (x + np.roll(x, 1))


def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x
    return run


def newton(f, df, x, steps=20):
    for _ in range(steps):
        x = x - f(x) / df(x)
    return x


def make_poly(coefs):
    def p(x):
        out = np.zeros_like(x)
        for c in coefs:
            out = out * x + c
        return out

    def dp(x):
        out = np.zeros_like(x)
        m = len(coefs) - 1
        for k, c in enumerate(coefs[:-1]):
            out = out * x + (m - k) * c
        return out

    return p, dp


class Lazy:
    def __init__(self, make):
        self._make = make
        self._value = None

    @property
    def value(self):
        if self._value is None:
            self._value = self._make()
        return self._value


def main():
    x = np.linspace(1.0, 2.0, 64)
    p, dp = make_poly([1.0, 0.0, -2.0])
    print(f"{newton(p, dp, x).sum():.10f}")
    print(f"{smooth(x).sum():.6f}")
    pipeline = compose(lambda v: v * 2, np.sqrt, lambda v: v - v.mean())
    print(f"{np.abs(pipeline(x)).sum():.8f}")
    lazy = Lazy(lambda: np.outer(x, x))
    print(f"{lazy.value.sum():.6f} {lazy.value.max():.6f}")
    key = sorted(range(5), key=lambda k: -x[k * 3])
    print(key)
    best = min([(float(np.sum((x - c) ** 2)), c) for c in (1.0, 1.4, 1.9)], key=lambda pair: pair[0])
    print(best)
    acc = {}
    put = lambda name, value: acc.update({name: value})
    put("a", x.sum())
    print(acc["a"])


main()
