"""``float()`` of a complex element: NumPy warns and drops the imaginary part, CuPy raises."""

import sys
import warnings

import numpy as np
from numpy.typing import NDArray

warnings.simplefilter("ignore")


def scaled(z: NDArray[np.complex128]):
    w = np.fft.fft(z)
    return w * float(w[0])


def doubled(z: NDArray[np.complex128], n: int):
    w = np.fft.fft(z)
    for k in range(n):
        if float(w[k]) > 2:
            w = w * 2
    return w


z = np.random.default_rng(0).normal(size=20) + 0.5j
np.savez(sys.argv[1], scaled=scaled(z), doubled=doubled(z, 3))
