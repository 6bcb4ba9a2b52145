import sys
import numpy as np

def nested(a):
    out = np.zeros((a.shape[0], a.shape[1]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = np.linalg.det(a[i, j])
    return out

def cond(a):
    out = []
    for m in a:
        if np.linalg.det(m) > 0:
            out.append(np.linalg.inv(m))
    return out

def broke(a):
    for i, m in enumerate(a):
        if np.linalg.det(m) < 0:
            break
    return i

def tryit(a):
    out = []
    for m in a:
        try:
            out.append(np.linalg.inv(m))
        except np.linalg.LinAlgError:
            out.append(np.zeros_like(m))
    return np.array(out)

def total(a):
    s = 0.0
    for m in a:
        s += np.linalg.det(m)
    return s

def filtered(a):
    return [np.linalg.inv(m) for m in a if np.linalg.det(m) > 0]

def printed(a):
    for m in a:
        print(round(float(np.linalg.det(m)), 6))

rng = np.random.default_rng(0)
a = rng.normal(size=(3, 4, 2, 2))
b = a[0].copy()
b[1] = 0
printed(a[0])
np.savez(sys.argv[1], n=nested(a), c=np.array(cond(a[0])), k=broke(a[0]), t=tryit(b), s=total(a[0]), f=np.array(filtered(a[1])))
