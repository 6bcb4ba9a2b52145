import sys

import numpy as np

a = np.arange(20.0).reshape(4, 5)
b = np.sin(a) + a
n = 4
c = np.exp(np.linspace(0, 1, n * n).reshape(n, n))
np.savez(sys.argv[1], b=b, c=c)
