import numpy as np

def first(v0, v1):
    s1 = v0.sum()
    for item in [v0, v1]:
        s1 = s1 + np.sum(item)

def main(v0, v1):
    kept = []
    named = {}
    s1 = v0.sum()
    s0 = s1
    v3 = v1
    v2 = np.zeros_like(v3)
    v0 = first(v2, 2.0)
    return (v0, v1, v2, v3, s0, s1, kept, named)
x = np.linspace(0.0, 1.0, 6)
y = np.cos(x) * 1.5
v0, v1, v2, v3, s0, s1, kept, named = main(x, y)
