import sys
import numpy as np

def f(i: np.ndarray):
    k = i[0]
    r = [0] * k
    return len(r), np.exp(-i * 2.0)


np.savez(sys.argv[1], *f(np.array([2, 3, 1])))
