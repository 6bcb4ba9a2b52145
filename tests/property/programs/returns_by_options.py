"""Cases through partials of functions and dicts of options."""
import functools

import numpy as np


class Grid:
    def __init__(self, n):
        self.x = np.linspace(0, 1, n)


def solve(grid, z, full=False):
    k = np.exp(-(z[:, None] - grid.x[None, :]) ** 2)
    if full:
        return k.sum(axis=1), k
    return k.sum(axis=1)


def through(grid, z, **options):
    return solve(grid, z, **options)


def spread(*args):
    return solve(*args)


def main():
    z = np.linspace(0, 2, 30)
    grid = Grid(40)
    f = functools.partial(solve, grid, full=True)
    v, k = f(z)
    print(round(float(v.sum()), 6), k.shape)
    v, k = through(grid, z, full=True)
    print(round(float(v.sum()), 6), k.shape)
    print(round(float(through(grid, z).sum()), 6))
    v, k = spread(grid, z, True)
    print(round(float(v.sum()), 6), k.shape)
    options = {}
    for i in range(2):
        r = solve(grid, z, **options)
        print(type(r).__name__)
        options["full"] = True
    print(round(float(solve(grid, z).sum()), 6))


if __name__ == "__main__":
    main()
