import cupy as cp
import numpy as np

try:
    import cupy as xp
except ImportError:
    import numpy as xp


def wave(x: np.ndarray):
    return xp.exp(xp.sin(x))


def either(x: np.ndarray, gpu):
    module = cp if gpu else np
    return module.exp(module.sin(x))


def asked(x):
    module = cp.get_array_module(x)
    return module.exp(module.sin(x))
