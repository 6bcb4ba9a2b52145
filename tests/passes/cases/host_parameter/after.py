import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", host="labels")
def weigh(x: np.ndarray, labels: np.ndarray):
    names = labels.tolist()
    return cp.sin(x) @ cp.cos(x), names
