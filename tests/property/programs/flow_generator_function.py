import sys

import numpy as np

def chunks(a, n):
    for k in range(0, len(a), n):
        yield np.sqrt(a[k : k + n])


def consume(a):
    return np.concatenate(list(chunks(a, 2))), sum(c.sum() for c in chunks(a, 3))


np.savez(sys.argv[1], *consume(np.arange(7.0)))
