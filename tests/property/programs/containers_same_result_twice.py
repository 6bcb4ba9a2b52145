import sys

import numpy as np

def f(a):
    b = np.sin(a)
    return b, b, [b, b.T], {"b": b}


def g(a):
    b = np.sin(a)
    return b, b[1:], b.reshape(2, -1)


p, q, r, s = f(np.arange(4.0))
p[0] = 7.0
u, v, w = g(np.arange(4.0))
u[1] = 8.0
print(p is q, r[0] is p, s["b"] is p, np.shares_memory(u, v), np.shares_memory(u, w))
np.savez(sys.argv[1], p=p, q=q, r=r[0], r1=r[1], s=s["b"], u=u, v=v, w=w)
