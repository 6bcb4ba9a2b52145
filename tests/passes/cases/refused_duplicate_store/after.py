import cupy as cp
import numpy as np
from gpuport.runtime import add_to, device


@device("values", "indices")
def histogram(values: np.ndarray, indices: np.ndarray, n: int):
    counts = cp.zeros(n)
    add_to(counts, indices, cp.sqrt(values))
    return counts


def scatter(values: np.ndarray, indices: np.ndarray, n: int):
    out = np.zeros(n)
    out[indices] = np.sqrt(values)
    return out
