"""Ways in which classes are values."""
import numpy as np
from functools import partial


class Base:
    count = 0
    GRID = np.linspace(0.0, 1.0, 2000)

    def __init__(self, scale):
        self.scale = scale
        self.u = self.GRID * scale

    @classmethod
    def unit(cls):
        return cls(1.0)

    @staticmethod
    def helper(x):
        return np.exp(x) * 2.0

    def work(self):
        for _ in range(8):
            self.u = np.sin(self.u) + self.GRID
        return self.u.sum()


class Twice(Base):
    def work(self):
        for _ in range(8):
            self.u = 2.0 * np.cos(self.u) - self.GRID
        return self.u.sum()


class Other:
    def __init__(self, n):
        self.u = np.ones(int(n) + 1000)

    def work(self):
        for _ in range(8):
            self.u = np.sin(self.u) * 2.0
        return self.u.sum()


def build(kind, value):
    return kind(value)


def choose(flag):
    return Base if flag else Twice


def case_3(x):
    things = [build(k, 4) for k in (Base, Other)]
    print([t.work() for t in things])


def case_4(x):
    print(choose(True)(0.1).work(), choose(False)(0.1).work())


def case_9(x):
    objs = [k(v) for k, v in zip((Base, Other, Twice), (0.1, 2, 0.3))]
    print(sum(o.work() for o in objs), objs[0].u[:2])


def case_10(x):
    make = {"a": Base, "b": Other}["b"]
    o = make(3)
    print(o.work(), o.u.max())


def case_11(x):
    table = dict(a=Base, b=Other)
    for key in sorted(table):
        print(key, table[key](2).work())
    for key, make in table.items():
        print(key, make(2).u.sum())


def case_12(x):
    def inner(cls, v):
        return cls(v).work()
    print(inner(Base, 0.3), inner(Twice, 0.4))


def case_14(x):
    pair = (Base, 0.5), (Other, 3)
    for make, v in pair:
        o = make(v)
        o.u *= 2
        print(o.work())


def case_17(x):
    f = lambda make: make(0.5)
    print(f(Base).work(), f(Other).work())


def case_19(x):
    print(max((Base, Twice), key=lambda k: k(0.5).work()).__name__)


def case_20(x):
    calls = [Base(0.5).work, Other(2).work]
    print([c() for c in calls])


def case_23(x):
    a, b = Base, Other
    a, b = b, a
    print(a(2).work(), b(2).work())


def case_25(x):
    make = Base
    o = make(scale=0.5)
    o2 = make(*[0.25])
    o3 = make(**{"scale": 0.1})
    print(o.work(), o2.work(), o3.work())


def case_27(x):
    fs = {"lin": build, "cls": Base}
    print(fs["cls"](1.0).work())
    print(fs["lin"](Other, 2).work())


def main():
    x = np.linspace(0, 2, 1000)
    case_3(x)
    case_4(x)
    case_9(x)
    case_10(x)
    case_11(x)
    case_12(x)
    case_14(x)
    case_17(x)
    case_19(x)
    case_20(x)
    case_23(x)
    case_25(x)
    case_27(x)


main()
