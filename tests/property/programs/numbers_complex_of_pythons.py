import sys

import numpy as np


def phase(n):
    x = np.exp(np.arange(n * 1.0) / n)
    return 1j * x.max()


def rotated(n):
    x = np.exp(np.arange(n * 1.0) / n)
    return np.exp(-1j * x.sum() / n) * x, complex(0, 1) ** x.max(), 2.0 + 1j * x.min()


def compared(n):
    x = np.exp(np.arange(n * 1.0) / n)
    return x.max() == 1j, (1j - x.max()).real


numbers = [phase(4), *rotated(4)[1:], *compared(4)]
np.savez(sys.argv[1], rotated(4)[0], *numbers, np.array([type(v).__name__ for v in numbers]))
