import os, numpy as np; import sys
import cupy as cp
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x):
    return cp.sin(x)
