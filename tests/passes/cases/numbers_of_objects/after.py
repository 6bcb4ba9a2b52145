"""What loops read of objects and dictionaries: kernels are given these, and read what they store."""

from dataclasses import dataclass

import numpy as np
from gpuport.runtime import device, kernel

__all__ = ["Grid", "Solver", "damp", "diffuse"]


@dataclass
class Grid:
    n: int
    dx: float


@kernel(
    "raw T u, float dt, float grid.dx, int grid.n",
    "raw T v",
    """
    v[i] = u[i] + dt / (grid.dx * grid.dx) * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
    """,
    over="i in range(1, grid.n - 1)",
    where="grid.dx ** 2 != 0",
)
def _diffuse(u, dt, grid, v):
    for i in range(1, grid.n - 1):
        v[i] = u[i] + dt / grid.dx**2 * (u[i + 1] - 2.0 * u[i] + u[i - 1])


@device("u", "v", require=("u", "v"), writes="v")
def diffuse(u: np.ndarray, v: np.ndarray, grid: Grid, dt):
    _diffuse(u, dt, grid, v)


@kernel(
    "float options['damping'], int options['sponge']",
    "raw T u",
    """
    u[i] *= (T)options['damping'];
    """,
    over="i in range(options['sponge'])",
)
def _damp(options, u):
    for i in range(options["sponge"]):
        u[i] *= options["damping"]


@device("u", writes="u")
def damp(u: np.ndarray, options):
    _damp(options, u)


@kernel(
    "raw T u, float speed, float self.grid.dx",
    "raw T v",
    """
    v[i] = speed * (u[i + 1] - u[i - 1]) / self.grid.dx;
    """,
    over="i in range(1, len(u) - 1)",
)
def _slope(u, speed, self, v):
    for i in range(1, len(u) - 1):
        v[i] = speed * (u[i + 1] - u[i - 1]) / self.grid.dx


class Solver:
    def __init__(self, grid):
        self.grid = grid
        self.speed = 2.0

    @device("u", "v", require=("u", "v"), writes="v", numbers="speed")
    def slope(self, u: np.ndarray, v: np.ndarray):
        _slope(u, self.speed, self, v)
