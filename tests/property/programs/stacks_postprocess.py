import sys
import numpy as np

def f(a, w):
    out = np.zeros((len(a), a.shape[1]))
    for i in range(len(a)):
        q, r = np.linalg.qr(a[i])
        d = np.diag(r)
        out[i] = np.abs(d) * w
    return out

def trunc(a, k):
    return [np.linalg.svd(m)[1][:k] for m in a]

def whiten(covs, xs):
    out = []
    for c, x in zip(covs, xs):
        w, v = np.linalg.eigh(c)
        out.append(v @ np.diag(w ** -0.5) @ v.T @ x)
    return out

def mixed(a, b):
    acc = np.zeros(a.shape[:2])
    for i in range(a.shape[0]):
        acc[i, :] = np.outer(b[i], b[i]).sum(axis=0) + a[i].mean(axis=1) + np.trace(a[i])
        acc[i] += np.linalg.norm(a[i], axis=0)
    return acc

rng = np.random.default_rng(1)
a = rng.normal(size=(6, 4, 4))
c = a @ a.transpose(0, 2, 1) + np.eye(4)
x = rng.normal(size=(6, 4))
w1 = np.array(whiten(c, x))
w2 = np.array(whiten(list(c), list(x)))
np.savez(sys.argv[1], a=f(a, 2.0), a2=f(a, np.arange(4.0)), t=np.array(trunc(a, 2)), w1=w1, w2=w2, m=mixed(a, x))
