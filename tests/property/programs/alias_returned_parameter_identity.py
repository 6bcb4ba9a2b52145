import sys

import numpy as np

def normalise(a):
    a /= np.linalg.norm(a)
    return a


def maybe(a, copy):
    if copy:
        a = a.copy()
    a -= np.mean(a)
    return a


x = np.arange(1.0, 5.0)
y = normalise(x)
y[0] = 50.0
z = maybe(x, False)
z[1] = 60.0
w = maybe(x, True)
w[2] = 70.0
print(y is x, z is x, w is x)
np.savez(sys.argv[1], x=x, y=y, z=z, w=w)
