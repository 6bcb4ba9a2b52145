import sys
import numpy as np

def both(v, w):
    w[:] = w + v.sum()

def second(v0, v1):
    v2 = np.cos(v0)
    both(v1, v0)
    return v2

def main(v0, v1):
    kept = []
    named = {}
    v2 = np.cos(v0)
    v3 = v1 * 2.0
    s0 = 0
    s1 = v0[2]
    v0 = second(v1, v1)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.arange(6.0)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
out = {f'kept{k}': np.asarray(p) for k, p in enumerate(kept)}
np.savez(sys.argv[1], x=x, y=y, v0=v0, v1=v1, v2=v2, v3=v3, s0=s0, s1=s1, **out)
