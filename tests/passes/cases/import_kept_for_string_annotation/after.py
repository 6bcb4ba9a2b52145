import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def wave(x: "np.ndarray") -> "np.ndarray":
    return cp.sin(x)
