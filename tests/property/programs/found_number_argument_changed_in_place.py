import sys
import numpy as np


def accumulate(total, a):
    total += np.sum(np.sin(a))
    return total


def main(a):
    a = np.cos(a)
    start = a.sum()
    end = accumulate(start, a)
    return start, end, np.exp(a)


np.savez(sys.argv[1], *main(np.arange(6.0)))
