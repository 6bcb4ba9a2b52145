import cupy as cp
import numpy as np
from gpuport.runtime import batched, device


@device("tensors")
def square_roots(tensors: np.ndarray) -> np.ndarray:
    """Symmetric square root of each tensor."""
    roots = cp.empty_like(tensors)
    if batched.stackable({3: (tensors, roots)}, writes=roots):
        w, v = batched.linalg.eigh(tensors)
        roots[:] = (v * cp.sqrt(w)[:, None]) @ v.swapaxes(-1, -2)
    else:
        for i in range(len(tensors)):
            w, v = cp.linalg.eigh(tensors[i])  # ascending
            roots[i] = (v * cp.sqrt(w)) @ v.T
    return roots


@device("matrices", "out", writes="out")
def invert(matrices: np.ndarray, out: np.ndarray) -> None:
    stacked = batched.stackable({3: (matrices, out)}, writes=out)
    if stacked:
        try:
            out[:] = batched.linalg.inv(matrices)
        except cp.linalg.LinAlgError:
            stacked = batched.refused()
    if not stacked:
        for k, m in enumerate(matrices):
            out[k] = cp.linalg.inv(m)


@device("matrices", "tolerance")
def ranks(matrices: np.ndarray, tolerance) -> np.ndarray:
    return cp.array(
        (batched.linalg.svd(matrices, compute_uv=False) > tolerance).sum(axis=1)
        if batched.stackable({3: matrices}, at_most={1: tolerance})
        else [(cp.linalg.svd(m, compute_uv=False) > tolerance).sum() for m in matrices]
    )
