import numpy as np


def scale(x, out):
    np.multiply(np.sin(x), 2.0, out=out)
    out += 1.0
    return out
