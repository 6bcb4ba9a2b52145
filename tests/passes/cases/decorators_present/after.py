import functools

import cupy as cp
import numpy as np
from gpuport.runtime import device


class Wave:
    @staticmethod
    @device("x", from_size=1_000_000)
    def sin(x):
        return cp.sin(x)

    @classmethod
    @device("x", from_size=1_000_000)
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
