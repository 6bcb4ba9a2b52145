import numpy as np

def inplace(v, w):
    v[0] = w[1]

def second(v0, v1):
    v2 = v0
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
