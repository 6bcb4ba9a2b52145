import sys
import numpy as np

def f32(a, b):
    out = np.zeros((len(a), 3))
    for i in range(len(a)):
        out[i] = np.linalg.solve(a[i], b[i])
    return out

def ints(a):
    return np.array([np.linalg.inv(m) for m in a])

def cplx(a):
    w = []
    for m in a:
        h = m + m.conj().T
        w.append(np.linalg.eigvalsh(h))
    return np.stack(w)

def f32list(a):
    return [np.linalg.norm(m) for m in a]

rng = np.random.default_rng(0)
a = rng.normal(size=(6, 3, 3)).astype(np.float32) + 3 * np.eye(3, dtype=np.float32)
b = rng.normal(size=(6, 3)).astype(np.float32)
i = np.array([[[2, 1], [1, 1]], [[3, 2], [1, 1]]])
c = rng.normal(size=(4, 3, 3)) + 1j * rng.normal(size=(4, 3, 3))
x = f32(a, b)
n = f32list(a)
print(x.dtype, ints(i).dtype, cplx(c).dtype, n[0].dtype)
np.savez(sys.argv[1], x=x.astype(np.float32).round(3), i=ints(i), c=cplx(c), n=np.array(n, dtype=np.float64).round(4))
