"""Floating ``%`` and ``//`` in their forms: operators, in place, elements, calls, other numbers."""

import numpy as np


class Box:
    def __init__(self, n, side):
        rng = np.random.default_rng(3)
        self.side = side
        self.positions = rng.uniform(0, side, (n, 2))
        self.velocities = rng.normal(0, 1, (n, 2))

    def step(self, dt):
        self.positions += dt * self.velocities
        self.positions %= self.side

    def cells(self, size):
        return (self.positions // size).astype(int)


def wrapped(angles):
    return (angles + np.pi) % (2 * np.pi) - np.pi


def in_place(x, period):
    x %= period
    x[:, 0] %= 0.5
    x[1] //= 0.25
    return x


def both(x, y):
    return np.mod(x, y), np.floor_divide(x, y), np.remainder(y, x)


def nested(x):
    return x % 3.0 % 0.7, -x % 1.5, (x % 2.5) ** 2, 5.5 % (x + 9), 7 // (x + 9)


def narrow(x):
    y = x.astype(np.float32)
    y %= 0.1
    return y, y // np.float32(0.01), y % 1


def whole(n):
    n %= 7
    return n, n // 2, n % np.array([2, 3, 4])[:, None]


def any_type(values, period):
    values = np.asarray(values)
    return values % period


def kept(x):
    first = (x  # the comment stays
             + 1) % 0.3
    return first, np.mod(x, 0.3, out=np.empty_like(x)), np.divmod(x, 0.3)


def elements(x):
    total = 0.0
    for k in range(3):
        total += (x * k).sum()
        total %= 36.0
    smallest = x.min() % 1
    return total, smallest, f"{x.max() % 0.7:.6f} {(x // 0.7).sum():.1f}"


def list_of_parts(x):
    return [np.mod(row, 0.3) for row in x]


def handed_on(f, x):
    return f(x, 0.3)


box = Box(40, 2.5)
for _ in range(30):
    box.step(0.1)
print(box.positions[:3], box.cells(0.5)[:3].tolist())
grid = np.linspace(-4, 4, 24).reshape(4, 6) + 0.05
print(wrapped(grid)[0], in_place(grid.copy(), 1.3)[:, :2])
print([float(v.sum()) for v in both(grid, grid[0])], [float(v.sum()) for v in nested(grid)])
print(*narrow(grid), *whole(np.arange(12).reshape(3, 4)))
print(any_type([1, 2, 3], 2), any_type(grid, 0.4)[0], any_type(np.arange(5), 3))
print(*kept(grid[0]), elements(grid), list_of_parts(grid)[2])
print(handed_on(np.mod, grid)[0], handed_on(np.floor_divide, grid)[1])
edges = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-320])
with np.errstate(all="ignore"):
    print(edges[:, None] % edges, edges[:, None] // edges)
