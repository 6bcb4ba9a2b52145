import numpy as np

def first(v0, v1):
    v1 = v1 + np.zeros(6)
    v2 = np.cos(v0)
    return v0

def main(v0, v1):
    kept = []
    named = {}
    v2 = np.cos(v0)
    v3 = v1
    s0 = 0
    s1 = 2
    v3 = first(v3, v3)
    for k in range(3):
        v1 = first(v3, v3[0])
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.arange(6.0)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
