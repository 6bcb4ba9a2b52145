"""A library's classes: what their attributes are is asked at each call."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel

__all__ = ["Norm"]


@kernel(
    "T z, float a, float half, float c",
    "T result",
    """
    result = fabs(z) <= a ? z * z * half : a * fabs(z) * c;
    """,
)
def _rho(z, a, half, c):
    return np.where(np.abs(z) <= a, z**2 * half, a * np.abs(z) * c)


class Norm:
    limit = 3.0

    def __init__(self, a=1.3, c: float = 2.0, w=None, u=1.0):
        self.a = a
        self.c = c
        self.w = w
        self.u, self.v = u, u
        self.half = 0.5 * c

    def tune(self, a):
        self.a = a

    def shape(self, n: int):
        self.limit = np.ones(n)

    @device("z", numbers=("a", "c", "half"))
    def rho(self, z):
        z = cp.asarray(z)
        return _rho(z, self.a, self.half, self.c)

    def weighted(self, z):
        return np.cos(z) * self.w

    @device("z", numbers="u", from_size=1_000_000)
    def unpacked(self, z):
        return cp.cos(z) * self.u

    def limited(self, z):
        return np.cos(z) * self.limit

    @staticmethod
    def static(self, z):
        return np.cos(z) * self.a
