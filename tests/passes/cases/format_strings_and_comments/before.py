import numpy as np


def wave(x):
    """Uses np.sin and numpy.cos."""
    # np.sin here
    label = "np.sin"
    note = f"np.cos {label}"
    return np.sin(x), note
