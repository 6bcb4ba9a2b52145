"""Structured triangular meshes of the unit square."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Mesh:
    points: np.ndarray
    cells: np.ndarray
    boundary: np.ndarray

    @property
    def size(self):
        return self.points.shape[0]


def coordinates(n):
    axis = np.linspace(0.0, 1.0, n + 1)
    return np.meshgrid(axis, axis, indexing="ij")


def unit_square(n):
    x, y = coordinates(n)
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    index = np.arange((n + 1) * (n + 1)).reshape(n + 1, n + 1)
    a = index[:-1, :-1].ravel()
    b = index[1:, :-1].ravel()
    c = index[:-1, 1:].ravel()
    d = index[1:, 1:].ravel()
    cells = np.concatenate([np.stack([a, b, d], axis=1), np.stack([a, d, c], axis=1)])
    edge = (x == 0.0) | (x == 1.0) | (y == 0.0) | (y == 1.0)
    return Mesh(points, cells, edge.ravel())
