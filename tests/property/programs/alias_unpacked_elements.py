import sys

import numpy as np

def main(out):
    p = np.sin(np.arange(2.0) + 1.0)
    x, y = p
    p += 10.0
    np.savez(out, x=x, y=y, p=np.exp(p))


main(sys.argv[1])
