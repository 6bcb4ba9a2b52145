import numpy as np

def comp(d: dict[str, np.ndarray]):
    return {k: np.linalg.inv(v) for k, v in d.items()}

def comp2(d: dict[str, np.ndarray]):
    return {k: np.linalg.inv(v) @ v.T for k, v in d.items()}

def compfloat(d: dict[str, np.ndarray]):
    return {k: float(np.linalg.det(v)) for k, v in d.items()}

def comppair(d: dict[str, np.ndarray]):
    return {k: (np.linalg.det(v), np.linalg.inv(v)) for k, v in d.items()}

def compkey(d: dict[str, np.ndarray]):
    return {k + "_inv": np.linalg.inv(v) for k, v in d.items()}

def compcond(d: dict[str, np.ndarray]):
    return {k: np.linalg.inv(v) for k, v in d.items() if k != "b"}

def compenum(a: np.ndarray):
    return {i: np.linalg.inv(m) for i, m in enumerate(a)}

def compenum2(a: list[np.ndarray]):
    return {i: np.linalg.inv(m) * 2 for i, m in enumerate(a)}

def compkeyval(d: dict[int, np.ndarray]):
    return {k: np.linalg.inv(v) * k for k, v in d.items()}

def loop(d: dict[str, np.ndarray]):
    out = {}
    for k, v in d.items():
        w, u = np.linalg.eigh(v @ v.T)
        out[k] = u * w
    return out

def loop_two(d: dict[str, np.ndarray]):
    out, dets = {}, {}
    lst = []
    for k, v in d.items():
        i = np.linalg.inv(v)
        out[k] = i
        dets[k] = float(np.linalg.det(v))
        lst.append(i.sum())
    return out, dets, lst

def loop_read(d: dict[str, np.ndarray]):
    out = {}
    for k, v in d.items():
        out[k] = np.linalg.inv(v)
        out[k] += 1
    return out

def loop_self(d: dict[str, np.ndarray]):
    for k, v in d.items():
        d[k] = np.linalg.inv(v)
    return d

def loop_pre(d: dict[str, np.ndarray]):
    out = {"b": 1}
    for k, v in d.items():
        out[k] = np.linalg.inv(v)
    return list(out)

def loop_key(d: dict[str, np.ndarray]):
    out = {}
    for k, v in d.items():
        out[k.upper()] = np.linalg.inv(v)
    return out

def loop_const(d: dict[str, np.ndarray]):
    out = {}
    for k, v in d.items():
        out["last"] = np.linalg.inv(v)
    return out

def values(d: dict[str, np.ndarray]):
    return [np.linalg.inv(v) for v in d.values()]

def values2(d: dict[str, np.ndarray]):
    total = 0.0
    for v in d.values():
        total += np.linalg.slogdet(v)[1]
    return total

def keys(d: dict[str, np.ndarray]):
    return [np.linalg.inv(d[k]) for k in d]

def gsum(a: np.ndarray):
    return sum(np.linalg.det(m) for m in a)

def gsum0(a: np.ndarray):
    return sum((np.linalg.det(m) for m in a), 1.0)

def gsumarr(a: np.ndarray):
    return sum(np.linalg.inv(m) for m in a)

def gmax(a: np.ndarray):
    return max(np.linalg.det(m) for m in a)

def gmin2(a: list[np.ndarray]):
    return min(np.linalg.norm(np.linalg.inv(m)) for m in a)

def gsorted(a: np.ndarray):
    return sorted(np.linalg.det(m) for m in a)

def gtuple(a: np.ndarray):
    return tuple(np.linalg.inv(m) for m in a)

def gpair(a: np.ndarray):
    return list((np.linalg.det(m), np.linalg.inv(m)) for m in a)

def gany(a: np.ndarray):
    return any(np.linalg.det(m) > 0 for m in a)

def gall(a: np.ndarray):
    return all(np.linalg.inv(m)[0, 0] > 0 for m in a)

def gmaxkey(a: np.ndarray):
    return max((np.linalg.inv(m) for m in a), key=lambda x: x[0, 0])

def glazy(a: np.ndarray):
    g = (np.linalg.inv(m) for m in a)
    return next(g)

def gdict(a: np.ndarray):
    return dict(enumerate(np.linalg.inv(m) for m in a))

def gjoin(a: np.ndarray):
    return ",".join(str(np.linalg.matrix_rank(m)) for m in a)

def gnp(a: np.ndarray):
    return np.array(list(np.linalg.inv(m) for m in a))

def gstack(a: np.ndarray):
    return np.stack([np.linalg.inv(m) for m in a]), np.vstack([np.linalg.eigvalsh(m @ m.T) for m in a])

def gnext(a: np.ndarray):
    return next(np.linalg.inv(m) for m in a)

R = np.random.default_rng(0)
A = R.normal(size=(6, 3, 3)); S = A.copy(); S[3] = 0; N = A.copy(); N[2, 1, 1] = np.nan
def L(x): return [m.copy() for m in x]
def c(x): return x.copy()
RAG = [R.normal(size=(n, n)) for n in (3, 2, 3, 4, 2)]
def D(x): return {chr(97 + i): m.copy() for i, m in enumerate(x)}
class Odd(dict):
    def items(self):
        return list(super().items())[:1]
CASES = {f'{f}-{w}': (lambda x=x: (D(x),)) for f in ('comp', 'comp2', 'compfloat', 'comppair', 'compkey', 'compcond', 'loop', 'loop_two', 'loop_read', 'loop_self', 'loop_pre', 'loop_key', 'loop_const', 'values', 'values2', 'keys') for w, x in (('', A), ('rag', RAG), ('sing', S), ('empty', []), ('nan', N), ('int', (A * 9).astype(int)))}
CASES |= {'comp-odd': lambda: (Odd(D(A)),), 'compkeyval': lambda: ({2: A[0], 3: A[1]},)}
CASES |= {f'{f}-{w}': (lambda x=x: (c(x),)) for f in ('compenum', 'gsum', 'gsum0', 'gsumarr', 'gmax', 'gsorted', 'gtuple', 'gpair', 'gany', 'gall', 'gmaxkey', 'glazy', 'gdict', 'gjoin', 'gnp', 'gstack', 'gnext') for w, x in (('', A), ('sing', S), ('empty', A[:0]), ('nan', N), ('f4', A.astype('f4')), ('4d', np.stack([A, A])), ('2d', A[0]), ('cplx', A + 1j))}
CASES |= {'compenum2': lambda: (L(RAG),), 'gmin2': lambda: (L(RAG),), 'gmin2-e': lambda: ([],)}
