import numpy as np

def mlist(a: np.ndarray):
    return list(map(np.linalg.inv, a))

def mlist2(a: list[np.ndarray]):
    return list(map(np.linalg.inv, a))

def msum(a: np.ndarray):
    return sum(map(np.linalg.det, a))

def mmax(a: np.ndarray):
    return max(map(np.linalg.det, a))

def mtuple(a: np.ndarray):
    return tuple(map(np.linalg.svd, a))

def many(a: np.ndarray):
    return any(map(np.linalg.det, a))

def mlazy(a: np.ndarray):
    return next(map(np.linalg.inv, a))

def mlambda(a: np.ndarray):
    return list(map(lambda m: np.linalg.inv(m), a))

def msolve(a: np.ndarray, b: np.ndarray):
    return list(map(np.linalg.solve, a, b))

def mkept(a: np.ndarray):
    m = map(np.linalg.inv, a)
    return list(m), list(m)

def mstack(a: np.ndarray):
    return np.stack(list(map(np.linalg.inv, a)))

def msorted(a: np.ndarray):
    return sorted(map(np.linalg.det, a), reverse=True)

def mexp(a: np.ndarray):
    return list(map(np.exp, a))

def mfor(a: np.ndarray):
    out = []
    for d in map(np.linalg.inv, a):
        out.append(d.sum())
    return out

def mval(d: dict[str, np.ndarray]):
    return list(map(np.linalg.inv, d.values()))

R = np.random.default_rng(0)
A = R.normal(size=(6, 3, 3)); S = A.copy(); S[3] = 0; N = A.copy(); N[2, 1, 1] = np.nan
RAG = [R.normal(size=(n, n)) for n in (3, 2, 3, 4, 2)]
CASES = {f'{f}-{w}': (lambda x=x: (x.copy(),)) for f in ('mlist', 'mlist2', 'msum', 'mmax', 'mtuple', 'many', 'mlazy', 'mlambda', 'mkept', 'mstack', 'msorted', 'mexp', 'mfor') for w, x in (('', A), ('sing', S), ('empty', A[:0]), ('nan', N), ('f4', A.astype('f4')), ('4d', np.stack([A, A])), ('2d', A[0]), ('list', RAG), ('none', []))}
del CASES['mstack-empty'], CASES['mstack-none']
CASES |= {'msolve': lambda: (A.copy(), A[:, 0].copy()), 'mval': lambda: ({'a': A[0], 'b': A[1]},)}
