import numpy as np


def blend(a, b, weight):
    c = np.concatenate([a, b])
    return weight * np.sin(c) + np.dot(a, b)
