import numpy as np

def invs(ms: np.ndarray):
    return [np.linalg.inv(m) for m in ms]

def visible(ms: np.ndarray, out: list[np.ndarray]):
    for i, m in enumerate(ms):
        out.append(np.linalg.inv(m))

def visible2(a: np.ndarray, out: np.ndarray, log):
    for i in range(len(a)):
        log.append(np.linalg.det(a[i]))
        out[i] = np.linalg.inv(a[i])

def after_loop(a: np.ndarray):
    for i in range(len(a)):
        m = np.linalg.inv(a[i])
    return m, i

def stop(a: np.ndarray):
    out = []
    for m in a:
        d = np.linalg.det(m)
        if d < 0:
            break
        out.append(np.linalg.inv(m))
    return out

def skip(a: np.ndarray):
    out = []
    for m in a:
        if np.linalg.det(m) < 0:
            continue
        out.append(np.linalg.inv(m))
    return out

def conditional(a: np.ndarray):
    return [np.linalg.inv(m) for m in a if np.linalg.det(m) > 0]

def conditional2(a: np.ndarray):
    return [np.linalg.inv(m) for m in a if m.shape[0] > 2]

def unequal(a: np.ndarray, b: np.ndarray):
    return [np.linalg.solve(x, y) for x, y in zip(a, b)]

def unequal2(a: np.ndarray, b: np.ndarray):
    out = []
    for x, y in zip(a, b):
        z = np.linalg.solve(x, y)
        out.append(z - z.mean())
    return out

def items(d: dict[int, np.ndarray]):
    return {k: np.linalg.inv(v) for k, v in d.items()}

def items2(d: dict[int, np.ndarray]):
    out = {}
    for k, v in d.items():
        out[k] = np.linalg.inv(v) @ v
    return out

def gen(a: np.ndarray):
    return list(np.linalg.inv(m) for m in a)

def gen2(a: np.ndarray):
    for m in a:
        yield np.linalg.inv(m)

def nested(groups: list[list[np.ndarray]]):
    return [[np.linalg.inv(m) for m in g] for g in groups]

def reassigned(a: np.ndarray):
    out = []
    for m in a:
        m = m + np.eye(3)
        m = np.linalg.inv(m)
        out.append(m)
    return out

def changed(a: np.ndarray):
    out = []
    for m in a:
        m += np.eye(3)
        out.append(np.linalg.inv(m))
    return out

def changed2(a: np.ndarray):
    out = []
    for m in a:
        m[0, 0] = 5.0
        out.append(np.linalg.inv(m))
    return out

def tot(a: np.ndarray):
    return sum(np.linalg.det(m) for m in a)

def biggest(a: np.ndarray):
    return max(np.linalg.norm(m) for m in a)

def floats(a: np.ndarray):
    return [float(np.linalg.det(m)) for m in a]

def floats2(a: np.ndarray):
    out = []
    for m in a:
        out.append(float(np.linalg.slogdet(m)[1]))
    return out

def strided(a: np.ndarray, out: np.ndarray):
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])
    return out

def prod(a: np.ndarray):
    p = np.eye(3)
    for m in a:
        p = p @ np.linalg.inv(m)
    return p

def rev(a: np.ndarray):
    return [np.linalg.inv(m) for m in reversed(a)]

def rev2(a: np.ndarray):
    return [np.linalg.inv(m) for m in a[::-1]]

def part(a: np.ndarray):
    return [np.linalg.inv(m) for m in a[1:]]

def kept(a: np.ndarray):
    u = [np.linalg.svd(m)[1] for m in a]
    u[0][:] = 0
    return u

def kept2(a: np.ndarray):
    u = []
    for m in a:
        w, v = np.linalg.eigh(m + m.T)
        u.append(w * 2)
    u[0] *= 0
    u.sort(key=lambda x: x[0])
    return u

R = np.random.default_rng(0)
A = R.normal(size=(6, 3, 3))
S = A.copy(); S[3] = 0
N = A.copy(); N[2, 1, 1] = np.nan
RAG = [R.normal(size=(n, n)) for n in (3, 2, 3, 4, 2)]
MIX = [A[0], A[1].astype('f4'), A[2] + 1j, A[3], (A[4] * 10).astype(int)]
def L(x): return [m.copy() for m in x]
CASES = {
 'invs': lambda: (L(A),), 'invs-empty': lambda: ([],), 'invs-one': lambda: (L(A[:1]),), 'invs-arr': lambda: (A.copy(),), 'invs-e3': lambda: (A[:0].copy(),),
 'invs-sing': lambda: (L(S),), 'invs-nan': lambda: (L(N),), 'invs-rag': lambda: (L(RAG),), 'invs-mix': lambda: (L(MIX),), 'invs-T': lambda: ([m.T for m in A],), 'invs-4d': lambda: (R.__class__ and np.stack([A, A]),), 'invs-2d': lambda: (A[0].copy(),), 'invs-num': lambda: ([[[1.0, 2], [3, 4]], [[1.0, 0], [0, 1]]],), 'invs-nonsq': lambda: ([A[0], A[1][:2]],), 'invs-tuple': lambda: (tuple(L(A)),), 'invs-gen': lambda: ((m for m in A),), 'invs-dict': lambda: ({1: A[0]},), 'invs-same': lambda: ([A[0]] * 3,), 'invs-masked': lambda: ([np.ma.masked_array(A[0])],), 'invs-bool': lambda: ([np.eye(2, dtype=bool)],), 'invs-f16': lambda: ([np.eye(2, dtype='f2')],), 'invs-F': lambda: (np.asfortranarray(A),), 'invs-neg': lambda: (A[::-1],), 'invs-0x0': lambda: ([np.zeros((0, 0))] * 2,),
 'visible': lambda: (L(A), []), 'visible-sing': lambda: (L(S), []), 'visible-rag': lambda: (L(RAG[:2]) + [np.zeros((2, 2))] + L(RAG), []), 'visible-arr': lambda: (S.copy(), []), 'visible-emp': lambda: ([], []),
 'visible2': lambda: (A.copy(), np.zeros_like(A), []), 'visible2-sing': lambda: (S.copy(), np.zeros_like(A), []), 'visible2-self': lambda: (lambda x: (x, x, []))(A.copy()), 'visible2-short': lambda: (A.copy(), np.zeros((4, 3, 3)), []), 'visible2-bc': lambda: (A.copy(), np.zeros((6, 2, 3, 3)), []), 'visible2-list': lambda: (L(A), L(A), []), 'visible2-int': lambda: (A.copy(), np.zeros((6, 3, 3), int), []), 'visible2-over': lambda: (lambda x: (x[1:], x[:-1], []))(A.copy()),
 'after_loop': lambda: (A.copy(),), 'after_loop-e': lambda: (A[:0].copy(),),
 'stop': lambda: (A.copy(),), 'skip': lambda: (A.copy(),), 'skip-l': lambda: (L(A),), 'conditional': lambda: (A.copy(),), 'conditional2': lambda: (L(RAG),),
 'unequal': lambda: (L(A), L(A[:4, 0])), 'unequal-2': lambda: (A.copy(), A[:, 0].copy()), 'unequal-3': lambda: (A.copy(), A.copy()), 'unequal-4': lambda: (A[:2].copy(), A.copy()), 'unequal-5': lambda: (A.copy(), A[:0, 0].copy()), 'unequal-6': lambda: (L(A), [A[0, 0], A[1], A[2, 0].astype('f4'), A[3][:2]]),
 'unequal2': lambda: (L(A), L(A[:4, 0])), 'unequal2-2': lambda: (A.copy(), A[:, 0].copy()), 'unequal2-3': lambda: (A.copy(), A.copy()), 'unequal2-4': lambda: (A[:2].copy(), A.copy()), 'unequal2-5': lambda: (A.copy(), A[:0, 0].copy()), 'unequal2-6': lambda: (L(A), [A[0, 0], A[1], A[2, 0].astype('f4')]),
 'items': lambda: ({i: m for i, m in enumerate(RAG)},), 'items-e': lambda: ({},), 'items-s': lambda: ({i: m for i, m in enumerate(S)},), 'items2': lambda: ({i: m for i, m in enumerate(RAG)},),
 'gen': lambda: (L(A),), 'gen2': lambda: (L(A),), 'gen2-s': lambda: (L(S),), 'nested': lambda: ([L(A), L(RAG), []],),
 'reassigned': lambda: (A.copy(),), 'changed': lambda: (A.copy(),), 'changed-l': lambda: (L(A),), 'changed2': lambda: (A.copy(),), 'changed2-l': lambda: (L(A),),
 'tot': lambda: (A.copy(),), 'tot-e': lambda: ([],), 'biggest': lambda: (A.copy(),), 'floats': lambda: (A.copy(),), 'floats2': lambda: (L(RAG),),
 'strided': lambda: (A[::2], np.zeros((3, 3, 6))[:, :, ::2]), 'strided-n': lambda: (A[::-1], np.zeros((6, 3, 3))), 'prod': lambda: (A.copy(),), 'rev': lambda: (L(A),), 'rev2': lambda: (A.copy(),), 'part': lambda: (A.copy(),),
 'kept': lambda: (A.copy(),), 'kept-l': lambda: (L(RAG),), 'kept2': lambda: (A.copy(),), 'kept2-l': lambda: (L(A),),
}
