import numpy as np


def wave(x):
    y = np.sin(x)

    def inner(np):
        return np.sin(3)

    return y


def loop(x, libraries):
    for np in libraries:
        x = np.sin(x)
    return x
