"""Small functions that loops call for each matrix."""

import numpy as np

FLOOR = 1e-12


def whiten(points, floor=FLOOR):
    """Points without their mean and covariance."""
    centred = points - points.mean(axis=0)
    covariance = centred.T @ centred / (points.shape[0] - 1)
    values, vectors = np.linalg.eigh(covariance)
    return centred @ (vectors / np.sqrt(np.maximum(values, floor))) @ vectors.T


def rotation(a: np.ndarray, b: np.ndarray):
    """What turns one set of points into another (Procrustes)."""
    u, _, vt = np.linalg.svd(a.T @ b)
    return u @ vt


def whitened(clouds: np.ndarray) -> np.ndarray:
    out = np.empty_like(clouds)
    for i in range(len(clouds)):
        out[i] = whiten(clouds[i])
    return out


def aligned(clouds: np.ndarray, shape: np.ndarray) -> np.ndarray:
    return np.array([cloud @ rotation(cloud, shape) for cloud in clouds])


def turned(stack: np.ndarray) -> np.ndarray:
    out = np.empty_like(stack)
    for k in range(stack.shape[2]):
        out[:, :, k] = np.linalg.inv(stack[:, :, k])
    return out
