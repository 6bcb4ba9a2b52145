import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("a", "b")
def ratio(a: np.ndarray, b: np.ndarray):
    with np.errstate(divide="ignore", invalid="ignore"):
        return cp.sqrt(a) / cp.sqrt(b)


def strict(a: np.ndarray, b: np.ndarray):
    with np.errstate(divide="raise"):
        return np.sqrt(a) / np.sqrt(b)
