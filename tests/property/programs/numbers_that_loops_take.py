import numpy as np

def groups(x, labels):
    out = {}
    for k in np.unique(labels):
        out[int(k)] = float(np.sin(x[labels == k]).sum())
    return out

def changed(x):
    y = np.cumsum(x)
    total = 0.0
    for i, v in enumerate(y[:3]):
        total += v
    n = 0
    for v in y:
        total += v
        y[n + 1 if n + 1 < len(y) else 0] *= 2
        n += 1
    return total, np.exp(-y)

def kept(x):
    y = np.sqrt(x)
    ks = []
    for v in y:
        ks.append(v)
    y += 1
    return ks, np.sin(y)

def path(w):
    order = np.argsort(w)
    s = []
    for k in order:
        s.append(f"{k}:{w[k]:.3f}")
    return " ".join(s), np.cos(w[order])

x = np.linspace(0.1, 2, 9)
print(groups(x, np.arange(9) % 3))
a, b = changed(x)
print(f"{a:.6f}", np.round(b, 5))
ks, y = kept(x)
print([f"{float(k):.4f}" for k in ks], np.round(y, 4))
p, q = path(x[::-1] % 0.7)
print(p, np.round(q, 4))
