import cupy as cp
import numpy as np  # noqa: F401
from gpuport.runtime import device


@device("x")
def wave(x):
    return cp.sin(x)
