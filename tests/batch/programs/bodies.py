import numpy as np
from numpy.linalg import inv, solve, svd

Arr = np.ndarray

def shadow(a: np.ndarray, inv: float):
    return [np.linalg.inv(m) * inv for m in a]

def shadow2(a: np.ndarray):
    len = lambda x: 2
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])
    return out

def early(a: np.ndarray, flag: bool):
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        out[i] = inv(a[i])
    if flag:
        return out[0]
    return out

def loopvar(a: np.ndarray, b: np.ndarray):
    out = []
    for x, y in zip(a, b):
        z = solve(x, y)
        out.append(z @ z)
    return np.array(out), len(out)

def wrong_n(a: np.ndarray, n: int):
    out = np.zeros((n, 3, 3))
    for i in range(n):
        out[i] = inv(a[i])
    return out

def half(a: np.ndarray):
    out = np.zeros((len(a), 3))
    for i in range(len(a) // 2):
        out[i] = np.linalg.eigvalsh(a[i] + a[i].T)
    return out

def offset(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(1, len(a)):
        out[i] = inv(a[i - 1])
    return out

def diag_shift(a: np.ndarray, lam: float):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = inv(a[i] + lam * np.eye(3))
    return out

def diag_shift2(a: np.ndarray, lam: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = inv(a[i] + lam[i] * np.eye(a.shape[1]))
    return out

def whiten(a: np.ndarray, x: np.ndarray):
    out = np.empty_like(x)
    for i in range(len(a)):
        w, v = np.linalg.eigh(a[i] @ a[i].T)
        out[i] = v @ np.diag(1 / np.sqrt(w)) @ v.T @ x[i]
    return out

def cov(samples: np.ndarray):
    out = []
    for s in samples:
        c = s - s.mean(axis=0)
        k = c.T @ c / (len(s) - 1)
        out.append(np.linalg.inv(k))
    return np.stack(out)

def procrustes(p: np.ndarray, q: np.ndarray):
    rots = np.zeros((len(p), 3, 3))
    for i in range(len(p)):
        pc = p[i] - p[i].mean(0)
        qc = q[i] - q[i].mean(0)
        u, s, vt = svd(pc.T @ qc)
        d = np.sign(np.linalg.det(u @ vt))
        rots[i] = (u * np.array([1, 1, d])) @ vt
    return rots

def procrustes2(p: np.ndarray, q: np.ndarray):
    rots = np.zeros((len(p), 3, 3))
    for i in range(len(p)):
        u, _, vt = svd(p[i].T @ q[i])
        r = u @ vt
        if np.linalg.det(r) < 0:
            u[:, -1] *= -1
            r = u @ vt
        rots[i] = r
    return rots

def kalman(P: np.ndarray, H: np.ndarray, Rm: np.ndarray, z: np.ndarray, x: np.ndarray):
    xs = np.zeros_like(x)
    Ps = np.zeros_like(P)
    for k in range(len(P)):
        S = H @ P[k] @ H.T + Rm
        K = P[k] @ H.T @ np.linalg.inv(S)
        xs[k] = x[k] + K @ (z[k] - H @ x[k])
        Ps[k] = (np.eye(3) - K @ H) @ P[k]
    return xs, Ps

def ranks(a: np.ndarray):
    return [np.linalg.matrix_rank(m) for m in a]

def ranksum(a: np.ndarray):
    n = 0
    for m in a:
        n += np.linalg.matrix_rank(m)
    return n

def conds(a: np.ndarray):
    return np.array([np.linalg.cond(m) for m in a])

def norms(a: np.ndarray):
    return np.array([np.linalg.norm(m, 2) for m in a])

def norms2(a: np.ndarray):
    return [np.linalg.norm(m, ord='fro') for m in a]

def norms3(a: np.ndarray):
    return [np.linalg.norm(m, np.inf) for m in a]

def tuples(a: np.ndarray):
    return [(np.linalg.det(m), np.linalg.inv(m)) for m in a]

def first(a: np.ndarray):
    return [np.linalg.eigh(m)[0][0] for m in a]

def mp(a: np.ndarray):
    return list(map(np.linalg.inv, a))

def mplam(a: np.ndarray):
    return list(map(lambda m: np.linalg.inv(m) @ m.T, a))

def slog(a: np.ndarray):
    out = []
    for m in a:
        sign, ld = np.linalg.slogdet(m)
        out.append(sign * ld)
    return out

def slog2(a: np.ndarray):
    out = []
    for m in a:
        r = np.linalg.slogdet(m)
        out.append(r.logabsdet)
    return out

def svdtup(a: np.ndarray):
    return [np.linalg.svd(m) for m in a]

def named(a: np.ndarray):
    r = [np.linalg.svd(m) for m in a]
    return r[0].S, r[1][2], type(r[0]).__name__

def mix_dt(a: np.ndarray, b: np.ndarray):
    out = np.zeros_like(b)
    for i in range(len(a)):
        out[i] = np.linalg.solve(a[i], b[i])
    return out

def einsum(a: np.ndarray, b: np.ndarray):
    return np.array([np.einsum('ij,j->i', np.linalg.inv(m), b) for m in a])

def wh(a: np.ndarray):
    i = 0
    out = np.zeros_like(a)
    while i < len(a):
        out[i] = inv(a[i])
        i += 1
    return out

def tryit(a: np.ndarray):
    out = []
    for m in a:
        try:
            out.append(np.linalg.inv(m))
        except np.linalg.LinAlgError:
            out.append(np.zeros((3, 3)))
    return out

def two(a: np.ndarray):
    o1, o2 = [], []
    for m in a:
        w, v = np.linalg.eigh(m @ m.T)
        o1.append(w)
        o2.append(v * v)
    return o1, o2

def lastread(a: np.ndarray):
    o = []
    for m in a:
        w = np.linalg.inv(m)
        o.append(w + 1)
    return w, o

def swap(a: np.ndarray):
    for i in range(len(a)):
        a[i] = np.linalg.inv(a[i])

def rows(a: np.ndarray):
    for i, m in enumerate(a):
        a[i] = np.linalg.inv(m)

def outer_idx(a: np.ndarray, idx: np.ndarray):
    out = np.zeros_like(a)
    for k, i in enumerate(idx):
        out[k] = np.linalg.inv(a[i])
    return out

def cross_read(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i]) + out[0]
    return out

def cross_read2(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])
        out[i] += out[i].T
    return out

def lastaxis(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(a.shape[2]):
        out[:, :, i] = np.linalg.inv(a[:, :, i])
    return out

def twod(a: np.ndarray):
    out = np.zeros(a.shape[:2])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = np.linalg.det(a[i, j])
    return out

def eigs(a: np.ndarray):
    return [np.linalg.eigvals(m).sum() for m in a]

def lsq(a: np.ndarray, b: np.ndarray):
    return [np.linalg.lstsq(m, y, rcond=None)[0] for m, y in zip(a, b)]

def f32(a: np.ndarray):
    return [np.linalg.inv(m.astype(np.float32)) for m in a]

R = np.random.default_rng(0)
A = R.normal(size=(6, 3, 3)); S = A.copy(); S[3] = 0; N = A.copy(); N[2, 1, 1] = np.nan
B = R.normal(size=(6, 3)); P = A @ A.transpose(0, 2, 1) + np.eye(3); X = R.normal(size=(6, 10, 3))
def L(x): return [m.copy() for m in x]
def c(x): return x.copy()
CASES = {'shadow': lambda: (c(A), 2.0), 'shadow2': lambda: (c(A),), 'early': lambda: (c(A), True), 'early-f': lambda: (c(A), False), 'early-s': lambda: (c(S), False),
 'loopvar': lambda: (c(A), c(B)), 'loopvar-i': lambda: ((A * 10).astype(int), c(B)), 'loopvar-c': lambda: (c(A) + 0j, B.astype('f4')), 'loopvar-u': lambda: (c(A), c(B[:4])), 'loopvar-l': lambda: (L(A), L(B)),
 'wrong_n': lambda: (c(A), 6), 'wrong_n-4': lambda: (c(A), 4), 'wrong_n-8': lambda: (c(A), 8), 'wrong_n-0': lambda: (c(A), 0), 'half': lambda: (c(A),), 'offset': lambda: (c(A),),
 'diag_shift': lambda: (c(A), 0.5), 'diag_shift-0': lambda: (c(S), 0.0), 'diag_shift-arr': lambda: (c(A), np.array([1., 2, 3])), 'diag_shift-arr2': lambda: (c(A), c(A)), 'diag_shift-f4': lambda: (A.astype('f4'), 0.5), 'diag_shift-int': lambda: ((A * 10).astype(int), 0.5), 'diag_shift-np': lambda: (A.astype('f4'), np.float64(0.5)), 'diag_shift-0d': lambda: (A.astype('f4'), np.array(0.5)),
 'diag_shift2': lambda: (c(A), c(B[:, 0])), 'diag_shift2-2': lambda: (c(A), c(B)), 'diag_shift2-3': lambda: (c(A), c(A)), 'diag_shift2-u': lambda: (c(A), c(B[:4, 0])),  'diag_shift2-l': lambda: (c(A), list(B[:, 0])),
 'whiten': lambda: (c(A), c(B)), 'whiten-m': lambda: (c(A), c(A)), 'whiten-f4': lambda: (A.astype('f4'), c(B)), 'whiten-c': lambda: (A + 1j * P, c(B)), 'cov': lambda: (c(X),), 'cov-l': lambda: (L(X),), 'cov-4': lambda: (np.stack([X, X]),), 'cov-rag': lambda: ([X[0], X[1][:5]],),
 'procrustes': lambda: (c(X), X @ A[0]), 'procrustes-2': lambda: (c(X), X[:5] @ A[0]), 'procrustes2': lambda: (c(X), X @ A[0]), 'kalman': lambda: (c(P), c(A[0, :2]), np.eye(2), R.normal(size=(6, 2)) * 0, c(B)), 'kalman-sq': lambda: (c(P), c(A[0]), np.eye(3), c(B), c(B)),
 'ranks': lambda: (c(S),), 'ranksum': lambda: (c(S),), 'ranksum-e': lambda: (S[:0],), 'conds': lambda: (c(A),), 'conds-s': lambda: (c(S),), 'conds-n': lambda: (c(N),), 'norms': lambda: (c(A),), 'norms2': lambda: (c(A),), 'norms3': lambda: (c(A),), 'norms3-v': lambda: (c(B),), 'norms-v': lambda: (c(B),),
 'tuples': lambda: (c(A),), 'tuples-e': lambda: (A[:0],), 'first': lambda: (c(P),), 'mp': lambda: (c(A),), 'mp-l': lambda: (L(A),), 'mplam': lambda: (c(A),), 'slog': lambda: (c(A),), 'slog-s': lambda: (c(S),), 'slog2': lambda: (c(S),), 'svdtup': lambda: (c(A),), 'svdtup-n': lambda: (c(N),), 'named': lambda: (c(A),), 'named-l': lambda: (L(A),),
 'mix_dt': lambda: (c(A), B.astype('f4')), 'mix_dt-i': lambda: (c(A), (B * 9).astype(int)), 'mix_dt-m': lambda: (c(A), c(A)), 'mix_dt-c': lambda: (A + 1j, c(B)), 'einsum': lambda: (c(A), c(B[0])), 'einsum-2': lambda: (c(A), c(B)), 'wh': lambda: (c(A),), 'tryit': lambda: (c(S),), 'two': lambda: (c(A),), 'lastread': lambda: (c(A),),
 'swap': lambda: (c(A),), 'swap-s': lambda: (c(S),), 'rows': lambda: (c(A),), 'rows-s': lambda: (c(S),), 'rows-ro': lambda: ((lambda x: (x.setflags(write=False), x)[1])(c(A)),), 'swap-b': lambda: (np.broadcast_to(A[0], (4, 3, 3)),), 'outer_idx': lambda: (c(A), np.array([3, 2, 1, 0, 0, 5])), 'cross_read': lambda: (c(A),), 'cross_read2': lambda: (c(A),), 'lastaxis': lambda: (np.moveaxis(A, 0, 2).copy(),), 'twod': lambda: (np.stack([A, A]),), 'eigs': lambda: (c(A),), 'lsq': lambda: (c(X), R.normal(size=(6, 10)) * 0 + 1), 'f32': lambda: (c(A),), 'svdtup-e': lambda: (A[:, :0].copy(),), 'swap-obj': lambda: (A.astype(object),), 'loopvar-3d': lambda: (np.stack([A, A]), np.stack([B, B]))}
