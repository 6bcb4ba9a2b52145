"""Classes as values that are asked, changed and made in other ways: none is followed."""
import numpy as np
from functools import partial


class Base:
    count = 0
    GRID = np.linspace(0.0, 1.0, 2000)

    def __init__(self, scale):
        self.scale = scale
        self.u = self.GRID * scale
        type(self).count += 1

    @classmethod
    def unit(cls):
        return cls(1.0)

    def work(self):
        self.u = np.sin(self.u) + self.GRID
        return self.u.sum()


class Twice(Base):
    def work(self):
        self.u = 2.0 * np.cos(self.u) - self.GRID
        return self.u.sum()


class Other:
    def __init__(self, n):
        self.u = np.ones(int(n) + 10)

    def work(self):
        return (self.u * 2.0).sum()


REGISTRY = {}


def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls


@register
class Sine:
    def __init__(self, n):
        self.x = np.sin(np.arange(n, dtype=float))

    def total(self):
        return self.x.sum()


@register
class Cosine:
    def __init__(self, n):
        self.x = np.cos(np.arange(n, dtype=float))

    def total(self):
        return self.x.sum()


def build(kind, value):
    return kind(value)


def clone(obj):
    return type(obj)(2.0)


def choose(flag):
    return Base if flag else Twice


def main():
    for make in [Base, Twice]:
        obj = make(0.5)
        print(make.__name__, obj.work(), make.count, make.GRID.sum())
        print(isinstance(obj, make), make is Base, issubclass(make, Base))
    print(Base.count)
    u = Twice.unit()
    print(u.work(), clone(u).work(), clone(Base(3.0)).work())
    things = [build(k, 4) for k in (Base, Other)]
    print([t.work() for t in things])
    print(choose(True)(0.1).work(), choose(False)(0.1).work())
    maker = partial(Base, 0.25)
    print(maker().work())
    print(sorted(REGISTRY), [REGISTRY[k](100).total() for k in sorted(REGISTRY)])
    make = Base
    make.GRID = np.ones(2000)
    print(Base(1.0).work())
    kinds = {Base: "b", Twice: "t"}
    print(kinds[type(u)])
    m = map(Other, [1, 2])
    print([o.work() for o in m])


main()
