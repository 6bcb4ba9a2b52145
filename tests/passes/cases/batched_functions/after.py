"""Small functions that loops call for each matrix."""

import cupy as cp
import numpy as np
from gpuport.runtime import batched, device, kernel

FLOOR = 1e-12


@kernel(
    "T vectors, T values, T floor_",
    "T terms",
    """
    terms = vectors / sqrt(maximum(values, floor_));
    """,
)
def _whiten(vectors, values, floor_):
    return vectors / np.sqrt(np.maximum(values, floor_))


@device("points", "floor")
def whiten(points, floor=FLOOR):
    """Points without their mean and covariance."""
    centred = points - points.mean(axis=0)
    covariance = centred.T @ centred / (points.shape[0] - 1)
    values, vectors = cp.linalg.eigh(covariance)
    return centred @ _whiten(vectors, values, floor) @ vectors.T


@device("a", "b", require="b", matrices="a")
def rotation(a: np.ndarray, b: np.ndarray):
    """What turns one set of points into another (Procrustes)."""
    u, _, vt = cp.linalg.svd(a.T @ b)
    return u @ vt


@batched.loop(writes="out")
def _whitened_loop(clouds, out):
    for i in range(len(clouds)):
        out[i] = whiten(clouds[i])


@device("clouds")
def whitened(clouds: np.ndarray) -> np.ndarray:
    out = cp.empty_like(clouds)
    _whitened_loop(clouds, out)
    return out


@batched.loop()
def _aligned_loop(clouds, shape):
    return [cloud @ rotation(cloud, shape) for cloud in clouds]


@device("clouds", "shape")
def aligned(clouds: np.ndarray, shape: np.ndarray) -> np.ndarray:
    return cp.array(_aligned_loop(clouds, shape))


@batched.loop(writes="out")
def _turned_loop(stack, out):
    for k in range(stack.shape[2]):
        out[:, :, k] = np.linalg.inv(stack[:, :, k])


@device("stack")
def turned(stack: np.ndarray) -> np.ndarray:
    out = cp.empty_like(stack)
    _turned_loop(stack, out)
    return out
