import autograd.numpy as np


def energy(x):
    return np.sum(np.sin(x) ** 2)
