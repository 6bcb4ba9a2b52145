import os, numpy as np; import sys


def wave(x):
    return np.sin(x)
