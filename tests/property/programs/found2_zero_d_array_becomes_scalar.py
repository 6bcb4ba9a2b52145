import sys

import numpy as np

u = np.loadtxt(["1 2 3 4 5"])
w = np.ones(5)
r = np.array(np.dot(u, w))
alias = r
r += 1
print(isinstance(r, np.ndarray), float(alias))
np.savez(sys.argv[1], r=r)
