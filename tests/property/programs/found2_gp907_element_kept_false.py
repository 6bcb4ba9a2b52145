import sys

import numpy as np


def replace_nan(x, value=0.0):
    x = np.asarray(x, dtype=float)
    bad = np.isnan(x)
    if bad.any():
        x = x.copy()
        x[bad] = value
    return np.abs(x)


if __name__ == "__main__":
    np.savez(sys.argv[1], a=replace_nan(np.array([1.0, np.nan])))
