import numpy as np


def degrees(angle: float):
    return np.sqrt(angle * 180.0 / np.pi)
