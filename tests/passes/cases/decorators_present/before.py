import functools

import numpy as np


class Wave:
    @staticmethod
    def sin(x):
        return np.sin(x)

    @classmethod
    def cos(cls, x):
        return np.cos(x)

    @property
    def zero(self):
        return np.zeros(3)


@functools.lru_cache(maxsize=None)
def table(n):
    return np.sin(np.linspace(0.0, 1.0, n))


@functools.wraps(table)
def wrapped(x):
    return np.sin(x)
