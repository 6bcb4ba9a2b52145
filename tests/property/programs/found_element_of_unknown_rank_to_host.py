import sys
import numpy as np

def f(a: np.ndarray):
    s = repr(a[0])
    return np.array(s), np.exp(-a * 2.0)


def g(i: np.ndarray):
    s = i[0] in {1: 2, 2: 3}
    return s, np.exp(-i * 2.0)


t, b = f(np.array([2.0, 3.0, 1.0]))
print(t)
u, c = g(np.array([2, 3, 1]))
print(u)
np.savez(sys.argv[1], t=t, b=b, u=u, c=c)
