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


@device("matrices", "wanted", require="matrices")
def some(matrices: np.ndarray, wanted) -> np.ndarray:
    out = cp.zeros_like(matrices)
    if batched.stackable({3: (matrices, out), 1: wanted}, writes=out):
        chosen = cp.flatnonzero(wanted)
        if chosen.size:
            out[chosen] = batched.linalg.inv(matrices[chosen])
    else:
        for i in range(len(matrices)):
            if wanted[i]:
                out[i] = cp.linalg.inv(matrices[i])
    return out


@device("matrices")
def last(matrices: np.ndarray) -> np.ndarray:
    found = []
    for m in matrices:
        inverse = cp.linalg.inv(m)
        found.append(inverse)
    return inverse
