import numpy as np
from numba import njit
from .registry import register


@njit
def fast(x):
    return np.sin(x)


@register("wave")
def wave(x):
    return np.sin(x)
