import cupy as cp
import numpy as np
from gpuport.runtime import add_to, device, put_last


@device("values", "indices")
def histogram(values: np.ndarray, indices: np.ndarray, n: int):
    counts = cp.zeros(n)
    add_to(counts, indices, cp.sqrt(values))
    return counts


@device("values", "indices")
def scatter(values: np.ndarray, indices: np.ndarray, n: int):
    out = cp.zeros(n)
    put_last(out, indices, cp.sqrt(values))
    return out
