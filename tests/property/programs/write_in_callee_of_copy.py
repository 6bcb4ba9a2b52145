import sys

import numpy as np

def bump(row, k):
    row += np.cos(row) * k


def main(out):
    m = np.sin(np.ones((4, 5)))
    bump(m[[0, 1]], 1.0)
    bump(m[m > 0.1], 2.0)
    bump(m.copy(), 3.0)
    bump(m + 0.0, 3.0)
    bump(m.flatten(), 3.0)
    bump(m.T.ravel(), 3.0)
    bump(m.ravel(), 3.0)
    np.savez(out, m=np.exp(m))


main(sys.argv[1])
