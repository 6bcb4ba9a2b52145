import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def wave(x):
    return cp.sin(x)
