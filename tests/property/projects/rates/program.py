"""Functions and methods of other files that are handed on, kept in attributes and called there."""

import numpy as np

import rates
from rates import heun
from solver import Solver
from systems import Forced, Forced2 as Second


def choose(name):
    if name == "heun":
        return heun
    return rates.euler


def watch(k, y):
    if k % 10 == 0:
        print(k, "%.6f" % float(np.abs(y).max()))


def main():
    y0 = np.linspace(0.1, 1.0, 200).reshape(2, 100)
    for step in (rates.euler, heun):
        for rhs in [rates.decay, rates.swing]:
            print(Solver(step, rhs).run(y0, 0.01, 20).sum().round(8))
    forced = Forced(np.linspace(0.0, 1.0, 100))
    other = Second(np.ones(100))
    print(Solver(choose("heun"), forced.rate, watch).run(y0, 0.01, 20).sum().round(8), forced.calls)
    print(Solver(choose("euler"), other.rate).run(y0, 0.01, 20).sum().round(8))
    table = {"a": rates.decay, "b": rates.swing}
    for name, f in table.items():
        print(name, f.__name__, rates.euler(f, 0.0, y0, 0.1).mean().round(8), f is rates.decay)


if __name__ == "__main__":
    main()
