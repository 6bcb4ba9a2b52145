import numpy as np

def second(v0, v1):
    v1 -= v1 * v0

def main(v0, v1):
    kept = []
    named = {}
    v3 = v1 * 2.0
    s0 = 0.0
    s1 = v0.sum()
    v2 = second(v3, s1)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.linspace(0.0, 1.0, 6)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
