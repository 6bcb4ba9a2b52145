import sys

import numpy as np

def add_into(a, b):
    a += np.cos(b)
    b *= 2.0
    a[0] = b[1]
    return a + b


x = np.arange(1.0, 5.0)
r = add_into(x, x)
y = np.arange(1.0, 9.0)
s = add_into(y[:4], y[2:6])
z = np.arange(1.0, 9.0)
t = add_into(z[::2], z[1::2])
w = np.arange(1.0, 9.0)
u = add_into(w[:4], w[4:])
np.savez(sys.argv[1], x=x, r=r, y=y, s=s, z=z, t=t, w=w, u=u)
