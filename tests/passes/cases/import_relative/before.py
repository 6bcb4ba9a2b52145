from . import numpy as np
from .numpy import sin


def wave(x):
    return np.cos(x) + sin(x)
