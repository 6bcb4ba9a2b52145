import os, numpy as np; import sys
import cupy as cp
from gpuport.runtime import device


@device("x")
def wave(x):
    return cp.sin(x)
