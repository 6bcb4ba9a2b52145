import functools

import cupy as cp
import numpy as np
from gpuport.runtime import device


class Wave:
    @staticmethod
    @device("x")
    def sin(x):
        return cp.sin(x)

    @classmethod
    @device("x")
    def cos(cls, x):
        return cp.cos(x)

    @property
    def zero(self):
        return np.zeros(3)


@functools.lru_cache(maxsize=None)
def table(n):
    return np.sin(np.linspace(0.0, 1.0, n))


@functools.wraps(table)
def wrapped(x):
    return np.sin(x)
