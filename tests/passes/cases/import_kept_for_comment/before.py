import numpy as np  # noqa: F401


def wave(x):
    return np.sin(x)
