"""Loops over elements that call methods of the instance: for numbers, and for its arrays."""

import math
import sys
from dataclasses import dataclass

import numpy as np


class Life:
    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        y, x = np.indices((rows, columns))
        self.cells = (((x * x + y * 3 + x * y) % 5) < 2).astype(np.int64)

    def neighbours(self, i, j):
        total = 0
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if di != 0 or dj != 0:
                    total += self.cells[(i + di) % self.rows, (j + dj) % self.columns]
        return total

    def step(self):
        new = np.zeros_like(self.cells)
        for i in range(self.rows):
            for j in range(self.columns):
                n = self.neighbours(i, j)
                if n == 3 or (n == 2 and self.cells[i, j] == 1):
                    new[i, j] = 1
        self.cells = new


class Grid:
    scale = 0.5

    def __init__(self, n, dtype=np.float64):
        self.n = n
        self.h = 1.0 / (n - 1)
        self.u = np.linspace(0.0, 1.0, n).astype(dtype) ** 2

    def flux(self, a, u):
        """Parameters that are called as attributes are."""
        h = self.h
        return (u - a) / h

    def source(self, i):
        return 0.0

    def slope(self, i):
        return self.u[i + 1] - self.u[i - 1]

    def rate(self, i):
        left = self.flux(self.u[i - 1], self.u[i])
        right = self.flux(self.u[i], self.u[i + 1])
        return (right - left) / self.h + self.source(i) + self.slope(i) * 0.01

    def advance(self, dt):
        new = self.u.copy()
        for i in range(1, self.n - 1):
            new[i] = self.u[i] + dt * self.rate(i)
        self.u = new


class Heated(Grid):
    def __init__(self, n, power, dtype=np.float64):
        super().__init__(n, dtype)
        self.power = power

    def source(self, i):
        if i * self.h > 0.5:
            return self.power * math.sin(i * self.h)
        return -self.power


@dataclass(frozen=True)
class Table:
    values: np.ndarray
    low: float
    step: float

    def at(self, x):
        k = int((x - self.low) / self.step)
        k = min(max(k, 0), self.values.shape[0] - 2)
        t = (x - self.low) / self.step - k
        return (1 - t) * self.values[k] + t * self.values[k + 1]

    def all_at(self, xs):
        out = np.empty(len(xs))
        for i in range(len(xs)):
            out[i] = self.at(xs[i])
        return out


class Counted:
    """A method that changes what it is asked of."""

    def __init__(self, n):
        self.calls = 0
        self.x = np.arange(n, dtype=float)

    def value(self, i):
        self.calls += 1
        return self.x[i] * 2

    def total(self):
        out = np.zeros(len(self.x))
        for i in range(len(self.x)):
            out[i] = self.value(i) + self.calls
        return out


def main():
    life = Life(12, 17)
    for _ in range(4):
        life.step()
    models = [Grid(40), Heated(40, 2.0), Heated(40, 1.5, np.float32)]
    for model in models:
        for _ in range(5):
            model.advance(1e-4)
    table = Table(np.sqrt(np.linspace(0.0, 4.0, 9)), 0.0, 0.5)
    looked_up = table.all_at(np.linspace(-0.3, 4.5, 50))
    counted = Counted(20)
    sums = counted.total()
    print(life.cells.sum(), counted.calls, [round(float(m.u.sum()), 6) for m in models[:2]])
    np.savez(
        sys.argv[1], cells=life.cells, a=models[0].u, b=models[1].u, c=models[2].u,
        looked_up=looked_up, sums=sums, x=counted.x,
    )  # fmt: skip


if __name__ == "__main__":
    main()
