import jax.numpy as np
import numpy as onp


def energy(x):
    return np.sum(np.sin(x) ** 2)


def host(x):
    return onp.sum(onp.sin(x) ** 2)
