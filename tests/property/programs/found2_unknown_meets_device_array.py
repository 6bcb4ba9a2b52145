# LOUD (TypeError: Unsupported type <class 'numpy.ndarray'> on the host backend and on a GPU): an array made in the function is put on
# the device and then meets a host array of unknown type (`z` from np.ogrid) in comparisons, `&` and as a mask:
#   -    div = it + np.zeros(z.shape, dtype=int)      ->  div = it + cp.zeros(z.shape, dtype=int)
#        now = diverge & (div == it)                      (unchanged: diverge is a numpy array, div == it a cupy one)
# The classic Mandelbrot from the NumPy tutorial. Should: an operation with an unknown operand pins its other operands to the host.
import sys

import numpy as np


def mandelbrot(h, w, it=20):
    y, x = np.ogrid[-1.4 : 1.4 : h * 1j, -2 : 0.8 : w * 1j]
    c = x + y * 1j
    z = c
    div = it + np.zeros(z.shape, dtype=int)
    for i in range(it):
        z = z**2 + c
        diverge = z * np.conj(z) > 2**2
        now = diverge & (div == it)
        div[now] = i
        z[diverge] = 2
    return div


if __name__ == "__main__":
    np.savez(sys.argv[1], m=mandelbrot(20, 24))
