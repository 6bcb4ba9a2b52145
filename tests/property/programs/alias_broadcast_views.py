import sys

import numpy as np

def grid(x, y):
    xx, yy = np.meshgrid(x, y)
    xx[0, 0] = 50.0
    s, t = np.meshgrid(x, y, sparse=True)
    b = np.broadcast_to(x, (2, x.size))
    try:
        b[0, 0] = 1.0
        print("written")
    except ValueError:
        print("read-only")
    return xx * yy + s, b.copy()


r = grid(np.arange(3.0), np.arange(4.0))
np.savez(sys.argv[1], *r)
