import sys
import numpy as np

def work(x):
    y = np.exp(-x * x) * np.sin(x)
    for k in range(4):
        y = np.sqrt(np.abs(y)) * np.cos(y) + y * k
    return y

def inplace(x, k):
    x *= np.cos(x) + k
    x += np.sqrt(np.abs(x)) * np.exp(-x * x)

def scalar(x):
    return float(np.sum(np.exp(-x * x) * np.sqrt(np.abs(x))))

def both(x, y):
    return np.exp(x) * y + np.sin(y) * x, x * y

rng = np.random.default_rng(2)
r = {}
for k in range(3):
    d = rng.normal(size=20)
    r[f"w{k}"] = work(d)
    inplace(d, k)
    r[f"d{k}"] = d
    r[f"s{k}"] = scalar(d)
    p, q = both(d, d)
    r[f"p{k}"], r[f"q{k}"] = p, q
s = rng.normal(size=9)
for k in range(3):
    s.sort()
    r[f"t{k}"] = scalar(s)
    s[k] = 4.0
    inplace(s, 1.0)
r["last"] = work(work(s)[::2])
np.savez(sys.argv[1], **r)
