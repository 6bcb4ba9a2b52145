import sys

import numpy as np

import inspect


def f(a: np.ndarray, *, scale: float = 2.0) -> np.ndarray:
    """Scale."""
    return np.sin(a) * scale


print(inspect.signature(f), f.__doc__, f.__name__, f.__module__)
np.savez(sys.argv[1], r=f(a=np.arange(3.0), scale=3.0), s=f(np.arange(3.0)))
