import math

import numpy as np


def rate(v):
    print(v)
    return 2 * v


def looked_up(x):
    f = np.vectorize(rate, otypes=[float])
    return f(x)


def exact(x: np.ndarray):
    scaled = np.exp(x) * np.sin(x)
    return np.frompyfunc(math.erf, 1, 1)(scaled).astype(float)
