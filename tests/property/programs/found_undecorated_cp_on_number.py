import numpy as np

def first(v0, v1):
    v3 = np.roll(v1, 2)

def main(v0, v1):
    kept = []
    named = {}
    v2 = v0
    v3 = np.sqrt(np.abs(v0))
    s0 = 0.0
    s1 = v0.sum()
    v0 = first(v1, 2.0)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.linspace(0.0, 1.0, 6)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
