import sys

if sys.platform == "linux":
    import numpy as np
else:
    import math as np


def wave(x):
    return np.sin(x)
