"""A function that makes arrays of its own gives NumPy's where it is given a number."""

import numpy as np


def ramp(a):
    return np.linspace(0.0, 1.0, 3) * a


for a in (1, np.ones(3)):
    print(ramp(a) + np.array([1.0, 2.0, 3.0]))
for a in [2.5, np.arange(3.0), 3]:
    print((ramp(a) * np.exp(-np.arange(3.0))).round(6))
