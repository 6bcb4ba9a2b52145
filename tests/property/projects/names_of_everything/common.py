"""What the modules of the program share: NumPy under its usual name, constants and helpers."""

import numpy as np
from numpy.linalg import norm

COUNT = 400
WIDTH = 0.05
_hidden = 3.0


def bump(x, centre):
    return np.exp(-(((x - centre) / WIDTH) ** 2))


def length(v):
    return norm(v)
