"""What loops read of objects and dictionaries: kernels are given these, and read what they store."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Grid", "Solver", "damp", "diffuse"]


@dataclass
class Grid:
    n: int
    dx: float


def diffuse(u: np.ndarray, v: np.ndarray, grid: Grid, dt):
    for i in range(1, grid.n - 1):
        v[i] = u[i] + dt / grid.dx**2 * (u[i + 1] - 2.0 * u[i] + u[i - 1])


def damp(u: np.ndarray, options):
    for i in range(options["sponge"]):
        u[i] *= options["damping"]


class Solver:
    def __init__(self, grid):
        self.grid = grid
        self.speed = 2.0

    def slope(self, u: np.ndarray, v: np.ndarray):
        for i in range(1, len(u) - 1):
            v[i] = self.speed * (u[i + 1] - u[i - 1]) / self.grid.dx
