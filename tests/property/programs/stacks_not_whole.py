import sys
import numpy as np

def f(a, b):
    # zip of unequal lengths
    return [np.linalg.solve(x, y) for x, y in zip(a, b)]

def g(a, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.linalg.det(a[i])
    return out

def h(a):
    last = None
    for m in a:
        last = np.linalg.inv(m)
    return last

def carried(p, f, n):
    out = np.zeros((n, 3, 3))
    for i in range(n):
        p = f @ p @ f.T
        out[i] = np.linalg.inv(p)
    return out

rng = np.random.default_rng(1)
a = rng.normal(size=(6, 3, 3))
b = rng.normal(size=(4, 3))
try:
    g(a, 9)
except IndexError as e:
    print("index")
np.savez(sys.argv[1], a=np.array(f(a, b)), g=g(a, 3), g0=g(a, 6), h=h(a), c=carried(a[0], a[1], 4))
