import numpy as np


def wave(x): y = np.sin(x); return y + np.cos(x)
