import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def norm(x: np.ndarray, axis: int | None = None, *, keep: bool = False, order=2):
    return cp.sum(cp.abs(x) ** order, axis=axis, keepdims=keep)
