import numpy as np
from scipy import sparse
from scipy.interpolate import CubicSpline
from scipy.spatial import cKDTree


def between(x: np.ndarray, y: np.ndarray, grid: np.ndarray):
    spline = CubicSpline(x, y)
    return np.exp(-grid) * spline(grid)


def nearest(points: np.ndarray, queries: np.ndarray):
    return cKDTree(points).query(np.sqrt(queries))


def product(n, x: np.ndarray):
    matrix = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return matrix @ np.sin(x)
