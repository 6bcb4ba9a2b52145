import cupy as cp
import numpy as np
from gpuport.runtime import batched, device


@device("states", "gain", require="states")
def smoothed(states: np.ndarray, gain: np.ndarray) -> np.ndarray:
    out = cp.empty_like(states)
    p = cp.eye(3)
    for i in range(len(states)):
        p = gain @ p @ cp.linalg.inv(states[i])
        out[i] = p
    return out


@batched.loop(writes="out")
def _some_loop(matrices, wanted, out):
    for i in range(len(matrices)):
        if wanted[i]:
            out[i] = np.linalg.inv(matrices[i])


@device("matrices", "wanted", require="matrices")
def some(matrices: np.ndarray, wanted) -> np.ndarray:
    out = cp.zeros_like(matrices)
    _some_loop(matrices, wanted, out)
    return out


@batched.loop(writes="found")
def _last_loop(matrices, found):
    for m in matrices:
        inverse = np.linalg.inv(m)
        found.append(inverse)
    return inverse


@device("matrices")
def last(matrices: np.ndarray) -> np.ndarray:
    found = []
    inverse = _last_loop(matrices, found)
    return inverse
