"""Functions handed on: several at one place, in attributes, lists, dicts; methods; results."""
import numpy as np


def decay(t, y):
    return -0.5 * y


def swing(t, y):
    return np.stack([y[1], -np.sin(y[0])])


def euler(f, t, y, h):
    return y + h * f(t, y)


def heun(f, t, y, h):
    k = f(t, y)
    return y + 0.5 * h * (k + f(t + h, y + h * k))


class Solver:
    def __init__(self, step, rhs, hook=None):
        self.step, self.rhs, self.hook = step, rhs, hook

    def run(self, y, h, n):
        t = 0.0
        for k in range(n):
            y = self.step(self.rhs, t, y, h)
            t += h
            if self.hook is not None:
                self.hook(k, y)
        return y


class Forced:
    def __init__(self, force):
        self.force = force
        self.calls = 0

    def rate(self, t, y):
        self.calls += 1
        return self.force * np.cos(t) - y


class Forced2(Forced):
    def rate(self, t, y):
        return np.sin(y) * self.force


def choose(name):
    if name == "heun":
        return heun
    return euler


def watch(k, y):
    if k % 10 == 0:
        print(k, "%.6f" % float(np.abs(y).max()))


def main():
    y0 = np.linspace(0.1, 1.0, 200).reshape(2, 100)
    for step in (euler, heun):
        for rhs in [decay, swing]:
            print(Solver(step, rhs).run(y0, 0.01, 20).sum().round(8))
    forced = Forced(np.linspace(0.0, 1.0, 100))
    other = Forced2(np.ones(100))
    print(Solver(choose("heun"), forced.rate, watch).run(y0, 0.01, 20).sum().round(8), forced.calls)
    print(Solver(choose("euler"), other.rate).run(y0, 0.01, 20).sum().round(8))
    table = {"a": decay, "b": swing}
    for name, f in table.items():
        print(name, f.__name__, euler(f, 0.0, y0, 0.1).mean().round(8), f is decay)


if __name__ == "__main__":
    main()
