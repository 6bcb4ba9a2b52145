from numpy import *


def wave(x):
    return sin(x) + cos(x)
