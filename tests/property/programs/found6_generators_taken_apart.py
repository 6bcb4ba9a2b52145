import sys
import numpy as np
from scipy import signal as sg

def f(n: int, x: np.ndarray):
    u, v, w = (np.zeros((n, n)) for _ in range(3))
    u += x
    v[1:] = np.sin(x[1:])
    w[:, 0] = 1
    return np.exp(u) * v + w

def g(x, y):
    a, b = (np.sqrt(np.abs(q)) for q in (x, y))
    c, d = [np.exp(-q) for q in (a, b)]
    lo, hi = (t.min() for t in (c, d))
    return a * b + c, d * hi, lo

def h(path, k):
    first, *rest = (np.ones(3) * j for j in range(k))
    i, j = (int(t) for t in "12")
    return first + sum(rest) * i - j

def env(x: np.ndarray):
    e = np.abs(sg.hilbert(x))
    p, q = sg.find_peaks(e, height=np.median(e), distance=10)
    r, _ = sg.find_peaks(e, prominence=0.1 * e.max())
    return e, p, q["peak_heights"], r

x = np.linspace(0, 1, 36).reshape(6, 6)
a, b, c = g(x, x + 1)
e = env(np.sin(np.linspace(0, 60, 300)) * np.linspace(0.2, 1, 300))
np.savez(sys.argv[1], f=f(6, x), a=a, b=b, c=c, h=h("", 3), **{f"e{i}": t for i, t in enumerate(e)})
