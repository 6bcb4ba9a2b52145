import sys
import numpy as np

def inplace(v, w):
    v[0] = w[1]

def both(v, w):
    w[:] = w + v.sum()

def second(v0, v1):
    v2 = v0
    for k in range(0):
        both(v0, v1)
    inplace(v2, v2)

def main(v0, v1):
    kept = []
    named = {}
    v2 = v0
    v3 = v1 * 2.0
    s0 = 0.0
    s1 = 2
    v2 = second(v2, v2)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.sin(np.arange(6.0))
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
out = {f'kept{k}': np.asarray(p) for k, p in enumerate(kept)}
np.savez(sys.argv[1], x=x, y=y, v0=v0, v1=v1, v2=v2, v3=v3, s0=s0, s1=s1, **out)
