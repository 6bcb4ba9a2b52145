import cupy as cp
import jax.numpy as np
from gpuport.runtime import device


def energy(x):
    return np.sum(np.sin(x) ** 2)


@device("x", from_size=1_000_000)
def host(x):
    return cp.sum(cp.sin(x) ** 2)
