import cupy as cp
import numpy as np
from gpuport.runtime import batched, device


@batched.loop(writes="roots")
def _square_roots_loop(tensors, roots):
    for i in range(len(tensors)):
        w, v = np.linalg.eigh(tensors[i])  # ascending
        roots[i] = (v * np.sqrt(w)) @ v.T


@device("tensors")
def square_roots(tensors: np.ndarray) -> np.ndarray:
    """Symmetric square root of each tensor."""
    roots = cp.empty_like(tensors)
    _square_roots_loop(tensors, roots)
    return roots


@batched.loop(writes="out")
def _invert_loop(matrices, out):
    for k, m in enumerate(matrices):
        out[k] = np.linalg.inv(m)


@device("matrices", "out", writes="out")
def invert(matrices: np.ndarray, out: np.ndarray) -> None:
    _invert_loop(matrices, out)


@batched.loop()
def _ranks_loop(matrices, tolerance):
    return [(np.linalg.svd(m, compute_uv=False) > tolerance).sum() for m in matrices]


@device("matrices", "tolerance")
def ranks(matrices: np.ndarray, tolerance) -> np.ndarray:
    return cp.array(_ranks_loop(matrices, tolerance))
