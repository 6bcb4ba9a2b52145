import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def norm(x: np.ndarray, axis: int | None = None, *, keep: bool = False, order=2):
    return cp.sum(cp.abs(x) ** order, axis=axis, keepdims=keep)
