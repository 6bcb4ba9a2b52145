import numpy as np


def wave(x):
    y = (((np.sin(x))))
    total = (np.sum)(y)
    return (np
            .cumsum(y)) + (total)
