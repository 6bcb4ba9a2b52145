import abc
import cupy as cp
from gpuport.runtime import device
import os


@device("x", from_size=1_000_000)
def wave(x):
    return cp.sin(x)
