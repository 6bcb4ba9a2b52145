import sys
import numpy as np

def a(n):
    x = np.r_[0:5, 3, 7.5]
    y = np.r_[1:n]
    z = np.r_["0,2", 0:3]
    w = np.r_[-1:1:6j, 2.0]
    return np.sqrt(x * x) * np.exp(-x), np.sqrt(y) * np.cos(y), np.exp(z) * np.sin(z), np.exp(w) * np.cos(w)

def b(x, y):
    e = np.r_[0.0, np.cumsum(x), 5.0]
    f = np.r_[True, np.diff(y) != 0]
    g = np.c_[x, np.sqrt(x)]
    h = np.r_[x, y]
    k = np.r_[x.sum(), x]
    return np.exp(e) * np.sin(e), np.flatnonzero(f), np.exp(g), np.exp(-h), k * np.sqrt(k)

def c(m: np.ndarray, t):
    p = np.r_[m, m * 2]
    q = np.c_[m, np.ones(len(m))]
    return np.exp(p) @ np.ones(p.shape[1]), np.linalg.norm(q, axis=1) * np.exp(t)

x = np.linspace(0.1, 1, 6)
y = np.array([1, 1, 2, 2, 3, 3])
out = {}
for i, v in enumerate((*a(6), *b(x, y), *c(np.outer(x, x), 0.5))):
    out[f"v{i}"] = v
np.savez(sys.argv[1], **out)
