"""Options that nobody uses: what stands behind `if self.forcing is not None` never runs."""
import sys

import numpy as np


class Solver:
    def __init__(self, n, nu, forcing=None, callback=None, limit=None):
        self.x = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
        self.u = np.sin(self.x)
        self.nu = nu
        self.forcing = forcing
        self.callback = callback
        self.limit = limit
        self.cache = None

    def rhs(self, u):
        out = self.nu * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) - u * np.cos(u)
        if self.forcing is not None:
            out += self.forcing
        if self.limit is not None and np.abs(out).max() > self.limit:
            out = np.array([float(v) for v in out])
        return out

    def weights(self):
        if self.cache is None:
            self.cache = np.exp(-self.x)
        return self.cache

    def step(self, dt):
        self.u = self.u + dt * self.rhs(self.u) * self.weights()
        if self.callback:
            self.callback(self.u)
        return self.u if self.forcing is None else self.u + self.forcing


class Chain:
    """What is None in the first trips of a loop is an array in later ones."""

    def __init__(self, n):
        self.last = None
        self.n = n

    def run(self, x):
        total = 0.0
        for i in range(self.n):
            if self.last is not None:
                total += float(np.sum(self.last * x))
            self.last = np.sqrt(x + i)
        return total


def smooth(x, trips):
    first = second = third = None
    kept = []
    for i in range(trips):
        if third is not None:
            kept.append(float(third.sum()))
            np.copyto(x, third)
        third = second
        second = first
        first = np.exp(-x * x) + i
    return x, kept


def guarded(x):
    found = None
    try:
        found = np.sqrt(x)
        if float(found[0]) > 0.5:
            raise ValueError("large")
    except ValueError:
        if found is not None:
            found = found * 2.0
    return found


solver = Solver(32, 0.1)
for _ in range(4):
    last = solver.step(0.05)
print(last.sum().round(9))
chain = Chain(3)
print(round(chain.run(np.linspace(1.0, 2.0, 5)), 9))
y, kept = smooth(np.linspace(0.0, 1.0, 6), 6)
print(np.round(kept, 9))
np.savez(sys.argv[1], u=solver.u, last=chain.last, y=y, g=guarded(np.linspace(1.0, 2.0, 4)))
