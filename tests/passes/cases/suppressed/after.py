import cupy as cp
import numpy as np
from gpuport.runtime import device


def whole(x):  # gpuport: skip
    return np.sin(x)


class Kept:  # gpuport: skip
    def method(self, x):
        return np.sin(x)


@device("x")
def quiet(x: np.ndarray):
    return cp.sin(cp.linalg.svd(x, compute_uv=False))  # gpuport: ignore[GP505]
