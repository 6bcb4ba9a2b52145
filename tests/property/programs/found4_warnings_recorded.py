"""What is warned of is recorded; CuPy does not warn."""

import sys
import warnings

import numpy as np


def recorded(x):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        y = np.sqrt(x - 0.5) * np.exp(x) + np.log(x)
    return y, len(told)


def silenced(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.sqrt(x - 0.5) * np.exp(x) + np.log(x)
    return y


x = np.linspace(0.0, 1.0, 12)
y, told = recorded(x)
print(told)
np.savez(sys.argv[1], y=y, z=silenced(x))
