"""Diffusion on a grid."""

import numpy as np

from . import grid as grids
from .grid import Grid


class Diffusion:
    def __init__(self, n, rate):
        self.grid = Grid(n)
        self.rate = rate

    def sweep(self, times):
        for _ in range(times):
            v = self.grid.values
            change = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4.0 * v[1:-1, 1:-1]
            self.grid.inside()[...] += self.rate * change
        return self

    def fresh(self):
        return grids.Grid(len(self.grid))

    def moments(self):
        g = self.grid
        mass = np.sum(g.values)
        return mass, np.sum(g.values * g.x**2) / mass
