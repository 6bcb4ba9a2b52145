"""Methods that are found by how their names begin, and what else such texts may find."""

import numpy as np


class Solver:
    """Chooses its scheme where it is made."""

    def __init__(self, n, scheme="rk2"):
        self.x = np.linspace(0.0, 1.0, n)
        self.dt = 0.1
        self.step = getattr(self, "step_" + scheme)

    def rhs(self, w):
        return -np.sin(w) * np.exp(self.x) - w

    def step_euler(self, w):
        return w + self.dt * self.rhs(w)

    def step_rk2(self, w):
        k = self.rhs(w)
        return w + 0.5 * self.dt * (k + self.rhs(w + self.dt * k))

    def run(self, steps):
        w = np.cos(self.x)
        for _ in range(steps):
            w = self.step(w)
        return w


class Filters:
    """Asks for its method at each call; a class made of it has one more."""

    def __init__(self, kind):
        self.kind = kind
        self.weights = np.linspace(0.0, 2.0, 7)

    def apply(self, x):
        return getattr(self, f"apply_{self.kind}")(x)

    def apply_low(self, x):
        return np.exp(-self.weights) * x

    def apply_high(self, x):
        return x - np.exp(-self.weights) * x


class MoreFilters(Filters):
    def apply_middle(self, x):
        return self.apply_high(np.sqrt(np.abs(self.apply_low(x))))


class Tables:
    """An attribute may be meant as well as a method."""

    def __init__(self):
        self.table_a = np.arange(4.0)

    def table_b(self):
        return np.arange(4.0) * 2

    def find(self, name):
        found = getattr(self, "table_" + name)
        return found() if callable(found) else found


class Properties:
    def __init__(self):
        self.base = np.linspace(1.0, 2.0, 5)

    @property
    def view_root(self):
        return np.sqrt(self.base)

    def view_square(self):
        return self.base**2

    def show(self, name):
        found = getattr(self, "view_" + name)
        return found() if callable(found) else found


class Later:
    """What is stored from outside may begin alike."""

    def __init__(self):
        self.base = np.linspace(1.0, 2.0, 5)

    def made_here(self):
        return self.base * 3

    def get(self, name):
        return getattr(self, "made_" + name)()


class Kept:
    """A method that hands out what the instance holds, and one that changes it."""

    def __init__(self):
        self.state = np.zeros(4)

    def do_hand(self):
        return self.state

    def do_change(self):
        self.state += np.exp(self.state)
        return self.state

    def do(self, name):
        return getattr(self, "do_" + name)()


def main():
    for scheme in ("euler", "rk2"):
        print(np.round(Solver(5, scheme).run(4), 10))
    x = np.linspace(-1.0, 1.0, 7)
    print([np.round(f.apply(x), 10).tolist() for f in (Filters("low"), Filters("high"))])
    print(np.round(MoreFilters("middle").apply(x), 10))
    tables = Tables()
    print(tables.find("a") + tables.find("b"))
    seen = Properties()
    print(np.round(seen.show("root") + seen.show("square"), 10))
    later = Later()
    later.made_there = lambda: np.ones(5)
    print(later.get("here") + later.get("there"))
    kept = Kept()
    before = kept.do("hand")
    after = kept.do("change")
    print(before is after, np.round(before, 10))
    try:
        Filters("none").apply(x)
    except AttributeError as error:
        print(error)


main()
