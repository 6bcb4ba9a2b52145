import numpy as np

def groups(x, labels):
    out = {}
    for i, k in enumerate(np.unique(labels)):
        out[int(k)] = i + float(np.sin(x[labels == k]).sum())
    return out

def pairs(x, w):
    rows = []
    for a, b in zip(np.argsort(x), np.cumsum(w)):
        rows.append("%d %.4f" % (a, b))
    return rows, np.exp(x) * w

def listed(x):
    idx = np.flatnonzero(x > 1)
    return {int(i): round(float(v), 4) for i, v in zip(idx, x[idx])}, [float(v) for v in np.sqrt(x)[:3]]

def stale(x):
    y = np.cumsum(x)
    got = []
    for i, v in enumerate(y):
        got.append(round(float(v), 4))
        if i + 1 < y.size:
            y[i + 1] *= 0.5
    return got, np.tanh(y)

x = np.linspace(0.1, 2, 9)
print(groups(x, np.arange(9) % 3))
rows, e = pairs(x[::-1], x)
print(rows, np.round(e, 4))
print(*listed(x))
g, t = stale(x)
print(g, np.round(t, 5))
