import abc
import numpy as np
import os


def wave(x):
    return np.sin(x)
