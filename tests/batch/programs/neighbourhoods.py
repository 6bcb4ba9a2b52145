"""Planes through the neighbourhoods of points: covariances of what is gathered."""

import numpy as np


def normals(points: np.ndarray, neighbours: np.ndarray):
    n = np.empty((len(points), points.shape[1]))
    for i in range(len(points)):
        nb = points[neighbours[i]]
        c = np.cov(nb.T)
        w, v = np.linalg.eigh(c)
        n[i] = np.abs(v[:, 0])
    return n


def centred(points: np.ndarray, neighbours: np.ndarray):
    n = []
    for i in range(len(points)):
        nb = points[neighbours[i]]
        q = nb - nb.mean(axis=0)
        c = np.cov(q, rowvar=False)
        n.append(np.linalg.eigvalsh(c))
    return np.array(n)


def curvature(points: np.ndarray, neighbours: np.ndarray):
    return np.array([np.linalg.eigvalsh(np.cov(points[nb].T))[0] for nb in neighbours])


def plane(points: np.ndarray, neighbours: np.ndarray):
    n = np.empty((len(points), points.shape[1]))
    for i in range(len(points)):
        nb = points[neighbours[i]]
        u, s, vt = np.linalg.svd(nb - nb.mean(axis=0))
        n[i] = np.abs(vt[-1])
    return n


R = np.random.default_rng
CASES = {}
for n in ("normals", "centred", "curvature", "plane"):
    CASES[n] = lambda: (R(0).standard_normal((20, 3)), R(1).integers(0, 20, (20, 6)))
    CASES[n + "-one"] = lambda: (R(0).standard_normal((20, 1)), R(1).integers(0, 20, (20, 6)))
    CASES[n + "-none"] = lambda: (R(0).standard_normal((0, 3)), R(1).integers(0, 20, (0, 6)))
    CASES[n + "-same"] = lambda: (R(0).standard_normal((5, 2)), np.zeros((5, 1), int))
