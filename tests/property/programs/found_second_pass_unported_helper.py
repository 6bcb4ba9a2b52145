import numpy as np

def inplace(v, w):
    v += np.sin(w) * 0.5

def first(v0, v1):
    v2 = v0
    v3 = v1 * 2.0
    inplace(v3, v2)

def main(v0, v1):
    kept = []
    named = {}
    v2 = v0
    v3 = v1 * 2.0
    s1 = 2
    if np.any(v0 > 1.0):
        s0 = float(v3.sum())
    v0 = first(v3, s0)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.arange(6.0)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
