import sys

import numpy as np

def f(a):
    sums = [np.sqrt(a + i).sum() * (-1) ** i for i in range(4)]
    return sorted(sums), max(sums), min(sums), sums.index(min(sums)), sum(sums), np.mean(sums), sums


r = f(np.arange(5.0))
print(r)
np.savez(sys.argv[1], *[np.asarray(v) for v in r])
