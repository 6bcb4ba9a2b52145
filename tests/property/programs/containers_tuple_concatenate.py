import sys

import numpy as np

def f(a):
    pair = (np.sin(a), np.cos(a))
    pair += (a,)
    more = pair + (a * 2,)
    first, second, *others = more
    x = [0.0] * 3
    x[0] = a.sum()
    x[1:] = [a.max(), a.min()]
    y = [np.zeros(2)] * 2
    y[0] += np.sqrt(2.0)
    return first, others[0], np.array(x), y[1], len(more), more[-1]


np.savez(sys.argv[1], *f(np.arange(4.0)))
