import numpy as np

def shadow_list(a: np.ndarray):
    list = a.shape[0]
    return [np.linalg.inv(m)[0] for m in a], list

def shadow_map(a: np.ndarray):
    map = 3
    return [float(np.linalg.det(m)) for m in a], map

def tot(a: np.ndarray):
    total = 0.0
    for m in a:
        total += float(np.linalg.det(m))
    return total

def tot_int(a: np.ndarray):
    total = 0
    for m in a:
        total += int(np.linalg.matrix_rank(m))
    return total

def toteach(a: np.ndarray):
    total = 0.0
    for m in a:
        d = np.linalg.det(m)
        total += float(d) * 2
    return total

def pair(a: np.ndarray):
    out = []
    for m in a:
        w, v = np.linalg.eigh(m @ m.T)
        out.append((float(w[0]), v * v, w.sum()))
    return out

def arr(a: np.ndarray):
    return np.array([float(np.linalg.det(m)) for m in a]) * 2

def arr2(a: list[np.ndarray]):
    return np.array([float(np.linalg.det(m)) for m in a]) * 2

def arr3(a: list[np.ndarray]):
    out = []
    for m in a:
        out.append(float(np.linalg.det(m)))
    return np.array(out)

def cplx(a: np.ndarray):
    return [float(np.linalg.det(m)) for m in a]

def vec(a: np.ndarray):
    return [float(np.linalg.eigvalsh(m)) for m in a]

def ints(a: np.ndarray):
    return [int(np.linalg.det(m) * 10) for m in a]

def boo(a: np.ndarray):
    return [bool(np.linalg.det(m) > 0) for m in a]

def listpair(a: list[np.ndarray], b: list[np.ndarray]):
    return [(float(np.linalg.det(x)), np.linalg.solve(x, y)) for x, y in zip(a, b)]

def acc_start(a: np.ndarray, total: float):
    for m in a:
        total += np.linalg.det(m)
    return total

def acc_arr(a: np.ndarray, total: np.ndarray):
    for m in a:
        total += np.linalg.inv(m)
    return total

def acc_arr2(a: np.ndarray, total: np.ndarray):
    for i in range(len(a)):
        total += a[i] @ np.linalg.inv(a[i])

def acc_view(a: np.ndarray):
    for m in a:
        a[0] += np.linalg.inv(m)
    return a

def acc_two(a: np.ndarray):
    s, t = 0.0, np.zeros(3)
    for m in a:
        w = np.linalg.eigvalsh(m + m.T)
        s += w.max()
        t += w
    return s, t / s

def acc_minus(a: np.ndarray):
    s = 0.0
    for m in a:
        s -= np.linalg.det(m)
    return s

def acc_used(a: np.ndarray):
    s = 0.0
    out = []
    for m in a:
        s += np.linalg.det(m)
        out.append(s)
    return out

def acc_again(a: np.ndarray):
    s = 0.0
    for _ in range(3):
        for m in a:
            s += np.linalg.det(m)
    return s

R = np.random.default_rng(0)
A = R.normal(size=(6, 3, 3)); S = A.copy(); S[3] = 0; N = A.copy(); N[2, 1, 1] = np.nan
def L(x): return [m.copy() for m in x]
def c(x): return x.copy()
RAG = [R.normal(size=(n, n)) for n in (3, 2, 3, 4, 2)]
CASES = {'shadow_list': lambda: (c(A),), 'shadow_map': lambda: (c(A),), 'tot': lambda: (c(A),), 'tot-f4': lambda: (A.astype('f4'),), 'tot-n': lambda: (c(N),), 'tot-e': lambda: (A[:0],), 'tot_int': lambda: (c(S),), 'toteach': lambda: (c(A),), 'pair': lambda: (c(A),), 'arr': lambda: (c(A),), 'arr-e': lambda: (A[:0],), 'arr2': lambda: (L(RAG),), 'arr3': lambda: (L(RAG),), 'arr3-e': lambda: ([],),
'cplx': lambda: (A + 1j,), 'vec': lambda: (c(A),), 'vec-1': lambda: (A[:, :1, :1].copy(),), 'ints': lambda: (c(A),), 'ints-n': lambda: (c(N),), 'boo': lambda: (c(A),), 'listpair': lambda: (L(RAG), [R.normal(size=len(m)) * 0 + 1 for m in RAG]),
'acc_start': lambda: (c(A), 1.0), 'acc_start-i': lambda: (c(A), 1), 'acc_start-f4': lambda: (A.astype('f4'), np.float64(1)), 'acc_start-0d': lambda: (c(A), np.array(1.0)), 'acc_start-v': lambda: (c(A), np.ones(2)),
'acc_arr': lambda: (c(A), np.zeros((3, 3))), 'acc_arr-s': lambda: (c(S), np.zeros((3, 3))), 'acc_arr-b': lambda: (c(A), np.zeros((2, 3, 3))), 'acc_arr-f': lambda: (c(A), np.zeros((3, 3), 'f4')), 'acc_arr-i': lambda: (c(A), np.zeros((3, 3), int)), 'acc_arr-c': lambda: (A + 1j, np.zeros((3, 3))), 'acc_arr-sh': lambda: (c(A), np.zeros((2, 2))), 'acc_arr-al': lambda: (lambda x: (x, x[0]))(c(A)), 'acc_arr-up': lambda: (A.astype('f4'), np.zeros((3, 3))), 'acc_arr-row': lambda: (c(A), np.zeros(3)),
'acc_arr2': lambda: (c(A), np.zeros((3, 3))), 'acc_arr2-s': lambda: (c(S), np.zeros((3, 3))), 'acc_view': lambda: (c(A),), 'acc_two': lambda: (c(A),), 'acc_minus': lambda: (c(A),), 'acc_used': lambda: (c(A),), 'acc_again': lambda: (c(A),)}
