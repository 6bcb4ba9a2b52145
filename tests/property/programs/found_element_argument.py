import sys

import numpy as np

def shift(v, a):
    a += np.cos(a)
    return a * v


def main(out):
    a = np.sin(np.arange(1.0, 6.0))
    r = shift(a[0], a)
    np.savez(out, a=a, r=r)


main(sys.argv[1])
