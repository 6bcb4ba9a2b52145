import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x):
    y = cp.sin(x)

    def inner(np):
        return np.sin(3)

    return y


def loop(x, libraries):
    for np in libraries:
        x = np.sin(x)
    return x
