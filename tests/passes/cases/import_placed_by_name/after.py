import abc
import cupy as cp
from gpuport.runtime import device
import os


@device("x")
def wave(x):
    return cp.sin(x)
