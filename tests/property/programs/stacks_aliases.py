import sys
import numpy as np

def shadow(a):
    batched = 3
    out = []
    for m in a:
        out.append(np.linalg.inv(m) * batched)
    return np.array(out)

def two_loops(a):
    inv = np.empty_like(a)
    for i in range(len(a)):
        inv[i] = np.linalg.inv(a[i])
    det = np.empty(len(a))
    for i in range(len(a)):
        det[i] = np.linalg.det(inv[i])
    return inv, det

def alias(a):
    b = a
    for i in range(len(a)):
        b[i] = np.linalg.inv(a[i])
    return b

def view(a):
    t = a[::2]
    out = np.zeros_like(t)
    for i in range(len(t)):
        out[i] = np.linalg.inv(t[i])
    return out

def multi(a, b):
    x = np.zeros((len(a), 2))
    for i in range(len(a)):
        s = np.linalg.solve(a[i], b[i])
        x[i, 0] = s[0]
        x[i, 1] = s[-1] ** 2
    return x

def late(a):
    res = []
    for m in a:
        res.append(np.linalg.eigvalsh(m @ m.T)[-1])
    return max(res), sum(res), sorted(res)

rng = np.random.default_rng(0)
a = rng.normal(size=(6, 3, 3)) + 3 * np.eye(3)
i, d = two_loops(a)
m, s, o = late(a)
np.savez(sys.argv[1], sh=shadow(a), i=i, d=d, al=alias(a.copy()), v=view(a), m=multi(a, a[:, 0]), mx=m, su=s, so=np.array(o))
