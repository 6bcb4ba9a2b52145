import numpy as np


def waves(x, n):
    for k in range(n):
        yield np.sin(k * x)
