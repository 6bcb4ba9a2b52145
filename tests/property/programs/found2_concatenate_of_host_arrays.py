import sys

import numpy as np


def work(x):
    z = np.cos(x)
    y = np.array(x.tolist())
    w = np.sqrt(y)
    y = np.concatenate([y, w])
    return y, z


if __name__ == "__main__":
    y, z = work(np.linspace(0, 2, 6))
    np.savez(sys.argv[1], y=y, z=z)
