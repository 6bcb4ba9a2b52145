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


def whiten_stack(points, floor=FLOOR):
    """`whiten` of each item of a stack."""
    centred = points - points.mean(axis=1)[:, None]
    covariance = centred.swapaxes(-1, -2) @ centred / (points.shape[1] - 1)
    values, vectors = batched.linalg.eigh(covariance)
    return centred @ (vectors / cp.sqrt(cp.maximum(values, floor))[:, None]) @ vectors.swapaxes(-1, -2)


@device("a", "b", require="b", matrices="a")
def rotation(a: np.ndarray, b: np.ndarray):
    """What turns one set of points into another (Procrustes)."""
    u, _, vt = cp.linalg.svd(a.T @ b)
    return u @ vt


def rotation_stack(a, b):
    """`rotation` of each item of a stack."""
    u, _, vt = batched.linalg.svd(a.swapaxes(-1, -2) @ b)
    return u @ vt


@device("clouds")
def whitened(clouds: np.ndarray) -> np.ndarray:
    out = cp.empty_like(clouds)
    if batched.stackable({3: (clouds, out)}, writes=out):
        out[:] = whiten_stack(clouds)
    else:
        for i in range(len(clouds)):
            out[i] = whiten(clouds[i])
    return out


@device("clouds", "shape")
def aligned(clouds: np.ndarray, shape: np.ndarray) -> np.ndarray:
    return cp.array(
        clouds @ rotation_stack(clouds, shape)
        if batched.stackable({3: clouds}, fixed={2: shape})
        else [cloud @ rotation(cloud, shape) for cloud in clouds]
    )


@device("stack")
def turned(stack: np.ndarray) -> np.ndarray:
    out = cp.empty_like(stack)
    if batched.stackable(length=stack.shape[2], writes=out, along={2: {3: (stack, out)}}):
        cp.moveaxis(out, 2, 0)[:] = batched.linalg.inv(cp.moveaxis(stack, 2, 0))
    else:
        for k in range(stack.shape[2]):
            out[:, :, k] = cp.linalg.inv(stack[:, :, k])
    return out
