import numpy as np


def square_roots(tensors: np.ndarray) -> np.ndarray:
    """Symmetric square root of each tensor."""
    roots = np.empty_like(tensors)
    for i in range(len(tensors)):
        w, v = np.linalg.eigh(tensors[i])  # ascending
        roots[i] = (v * np.sqrt(w)) @ v.T
    return roots


def invert(matrices: np.ndarray, out: np.ndarray) -> None:
    for k, m in enumerate(matrices):
        out[k] = np.linalg.inv(m)


def ranks(matrices: np.ndarray, tolerance) -> np.ndarray:
    return np.array([(np.linalg.svd(m, compute_uv=False) > tolerance).sum() for m in matrices])
