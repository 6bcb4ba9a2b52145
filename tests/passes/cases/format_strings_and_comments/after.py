import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x):
    """Uses np.sin and numpy.cos."""
    # np.sin here
    label = "np.sin"
    note = f"np.cos {label}"
    return cp.sin(x), note
