import sys
import numpy as np

def lists(ms, vs):
    out = []
    tot = np.zeros(len(ms))
    for k, (m, v) in enumerate(zip(ms, vs)):
        q, r = np.linalg.qr(m)
        x = np.linalg.solve(r, q.T @ v)
        tot[k] = np.linalg.norm(m @ x - v)
        out.append(x)
    return out, tot

def weights(ms, w):
    res = []
    for k, m in enumerate(ms):
        res.append(w[k] * np.linalg.inv(m))
    return res

def idx(ms):
    out = np.zeros(len(ms))
    for i in range(len(ms)):
        out[i] = np.linalg.det(ms[i])
    return out

def pairs(ms):
    res = []
    for m in ms:
        u, s, vt = np.linalg.svd(m, full_matrices=False)
        res.append(u @ vt)
    return res

rng = np.random.default_rng(0)
ms = [rng.normal(size=(n + 2, n)) for n in (2, 3, 2, 4, 3)]
vs = [rng.normal(size=m.shape[0]) for m in ms]
sq = [rng.normal(size=(n, n)) + 3 * np.eye(n) for n in (2, 3, 2, 4, 3)]
o, t = lists(ms, vs)
try:
    lists(ms, vs[:3] + [vs[0], vs[0]])
except ValueError:
    print("shapes")
o2, t2 = lists(ms[:2], vs)
np.savez(sys.argv[1], o=np.concatenate(o), t=t, o2=np.concatenate(o2), w=np.concatenate([x.ravel() for x in weights(sq, np.arange(5.0))]), i=idx(sq), p=np.concatenate([x.ravel() for x in pairs(ms)]), t2=t2)
