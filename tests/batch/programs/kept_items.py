import numpy as np
R = np.random.default_rng(11)


def kinds_of_joins(a: np.ndarray, b: np.ndarray):
    out = []
    for x, y in zip(a, b):
        m = np.array([x, y])
        out.append(np.linalg.norm(m @ m.T))
    return out

def nested3(a: np.ndarray):
    out = []
    for x in a:
        c, s = np.cos(x[0]), np.sin(x[0])
        m = np.array([[c, -s, x[1]], [s, c, x[2]], [0, 0, 1]])
        out.append(np.linalg.inv(m))
    return np.array(out)

def inplace(a: np.ndarray):
    out = []
    for m in a:
        g = m @ m.T
        g += np.eye(3)
        g[0, 0] = 5.0
        out.append(np.linalg.inv(g))
    return out

def aliasview(a: np.ndarray):
    for m in a:
        d = np.diag(m)
        m[:] = np.linalg.inv(m)
    return a

def swapped(a: np.ndarray):
    for i in range(len(a)):
        a[i] = np.linalg.inv(a[i]).T
    return a

def both_ways(a: np.ndarray, b: np.ndarray):
    for i in range(len(a)):
        t = a[i] @ b[i]
        a[i] = t
        b[i] = t.T + a[i]
    return a, b

def lagged(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(1, len(a)):
        out[i] = a[i] @ a[i - 1]
    return out

def pairwise(a: np.ndarray):
    d = np.zeros((len(a), len(a)))
    for i in range(len(a)):
        for j in range(len(a)):
            d[i, j] = np.linalg.norm(a[i] - a[j])
    return d

def order_of_dict(a: dict[str, np.ndarray]):
    res = {}
    for k, m in a.items():
        w, v = np.linalg.eigh(m)
        res[k] = w[::-1]
    return list(res.items())

def nested_out(a: np.ndarray):
    rows = []
    for m in a:
        u, s, vt = np.linalg.svd(m)
        rows.append([s[0], s[-1]])
    return np.array(rows)

def tuple_of_scalars(a: np.ndarray):
    return [(np.linalg.det(m), np.trace(m)) for m in a]

def dict_per_item(a: np.ndarray):
    return [{"det": np.linalg.det(m), "inv": np.linalg.inv(m)} for m in a]

def index_used(a: np.ndarray):
    return [(i, np.linalg.det(m)) for i, m in enumerate(a)]

def index_arith(a: np.ndarray):
    out = []
    for i, m in enumerate(a):
        out.append(np.linalg.det(m) * i)
    return out

def last(a: np.ndarray):
    for m in a:
        d = np.linalg.det(m)
    return d

def counted(a: np.ndarray):
    n = 0
    for m in a:
        n += np.linalg.matrix_rank(m)
    return n

A = R.normal(size=(4, 3, 3)) + 2 * np.eye(3); S = A.copy(); S[2] = 0
V = R.normal(size=(5, 3))
CASES = {"kinds_of_joins": lambda: (A, A[::-1]), "kinds_of_joins-v": lambda: (V, V), "kinds_of_joins-s": lambda: (V[:, 0], V[:, 1]), "nested3": lambda: (V,), "nested3-i": lambda: (np.arange(15).reshape(5, 3),), "inplace": lambda: (A,), "inplace-i": lambda: ((A * 9).astype(int),), "aliasview": lambda: (A.copy(),), "aliasview-s": lambda: (S.copy(),), "swapped": lambda: (A.copy(),), "swapped-s": lambda: (S.copy(),), "both_ways": lambda: (A.copy(), A[::-1].copy()), "lagged": lambda: (A,), "pairwise": lambda: (V,), "order_of_dict": lambda: ({"b": A[0] + A[0].T, "a": A[1] + A[1].T},), "nested_out": lambda: (A,), "tuple_of_scalars": lambda: (A,), "dict_per_item": lambda: (A,), "index_used": lambda: (A,), "index_arith": lambda: (A,), "last": lambda: (A,), "counted": lambda: (A,), "counted-e": lambda: (A[:0],)}
