"""Functions in classes, in builtins, with star arguments, in dicts of modules, as keys; recursion."""
import functools
import threading
from dataclasses import dataclass
from typing import Callable

import numpy as np


def soft(x):
    return np.log1p(np.exp(x))


def square(x):
    return x * x


def cube(x):
    return x * x * x


def weigh(self, x):
    return x * self.weight


def halve(x):
    x *= 0.5
    return x


def pair(x, y=None):
    return x if y is None else x + y


class Layer:
    act = weigh
    weight = 3.0
    other = None

    def __init__(self, n):
        self.w = np.linspace(0.0, 1.0, n)

    def run(self, x):
        return self.act(x) + np.sin(self.w)


@dataclass
class Stage:
    scale: np.ndarray
    act: Callable = square
    name: str = "stage"

    def run(self, x):
        return self.act(x) * self.scale


def compose(*functions):
    def run(x):
        for f in functions:
            x = f(x)
        return x

    return run


def repeat(f, x, n):
    return x if n == 0 else repeat(f, f(x), n - 1)


def spread(f, *args, **more):
    return f(*args, **more)


HALVES = {"a": halve, "b": np.sin}


def by_name(name, x):
    return HALVES[name](x)


def tally(f, counts, x):
    counts[f] = counts.get(f, 0) + 1
    if callable(f):
        f.calls = getattr(f, "calls", 0) + 1
    return f(x)


def main():
    x = np.linspace(0.1, 2.0, 400)
    print(Layer(400).run(x).sum().round(8), Stage(x).run(x).sum().round(8))
    Layer.other = square
    print(Stage(x, cube, "c").run(x).sum().round(8), Stage(x, act=soft).run(x).sum().round(8))
    print(compose(soft, square)(x).sum().round(8), repeat(soft, x, 3).sum().round(8))
    print(spread(pair, x, y=x).sum().round(8), spread(pair, x).sum().round(8))
    print(by_name("a", x.copy()).sum().round(8), by_name("b", x).sum().round(8))
    counts = {}
    print(tally(cube, counts, x).sum().round(8), len(counts), cube.calls)
    print(functools.reduce(lambda a, f: f(a), [soft, square], x).sum().round(8))
    print(sum(f(x).sum() for f in (soft, cube)).round(8), max([soft, cube], key=lambda f: f(1.0)).__name__)
    t = threading.Thread(target=halve, args=(x,))
    t.start()
    t.join()
    print(x.sum().round(8), [f(x).mean().round(8) for f in (square, cube)])
    results = {f.__name__: f(x) for f in [square, cube]}
    print(results["cube"].max().round(8), sorted([cube, square], key=lambda f: f.__name__)[0](2.0))


if __name__ == "__main__":
    main()
