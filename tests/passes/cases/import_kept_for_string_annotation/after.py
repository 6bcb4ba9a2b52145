import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x: "np.ndarray") -> "np.ndarray":
    return cp.sin(x)
