import sys

import numpy as np
from numpy import *


def spread(n):
    x = np.ones((n, n)) * np.linspace(0.0, 1.0, n)
    y = np.fft.fft(x, axis=0).real + np.sort(x, axis=1)
    total = sum(y)  # NumPy's: a number
    return np.sqrt(np.abs(y)) / total, len(np.shape(total)), all(y > -1.0)


if __name__ == "__main__":
    y, dimensions, every = spread(40)
    print(dimensions, type(every).__name__)
    np.savez(sys.argv[1], y=y)
