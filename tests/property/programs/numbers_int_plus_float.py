import sys

import numpy as np

def f(a):
    count = 0
    total = 0
    for row in range(3):
        r = np.sqrt(a + row)
        count += (r > 1).sum()
        total += r.mean()
    mean = total / count
    count //= 2
    k = 10
    k -= count
    return count, total, mean, k, 1 / count, count**2, 2**count, k % 3


r = f(np.arange(6))
print([type(v).__name__ for v in r])
np.savez(sys.argv[1], *r)
