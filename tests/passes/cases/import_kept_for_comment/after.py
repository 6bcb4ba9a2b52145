import cupy as cp
import numpy as np  # noqa: F401
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x):
    return cp.sin(x)
