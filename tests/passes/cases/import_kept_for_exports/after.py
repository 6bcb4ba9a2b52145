import cupy as cp
import numpy as np
from gpuport.runtime import device

__all__ = ["np", "wave"]


@device("x", from_size=1_000_000)
def wave(x):
    return cp.sin(x)
