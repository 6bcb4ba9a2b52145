import numpy as np

R = np.random.default_rng(22)
A = R.normal(size=(5, 3, 3))
S = A + A.swapaxes(1, 2)
P = A @ A.swapaxes(1, 2) + np.eye(3)
SING = P.copy()
SING[3] = 0
N = S.copy()
N[1] = np.nan
RAG = [m @ m.T for m in (R.normal(size=(n, n)) for n in (3, 2, 3, 1))]


def appended(ms: list[np.ndarray]):
    out = []
    for m in ms:
        w = np.linalg.eigvalsh(m)
        d = np.linalg.det(m)
        out.append((w, d))
    return out


def of_array(ms: np.ndarray):
    out = []
    for m in ms:
        w = np.linalg.eigvalsh(m)
        out.append((w, np.linalg.inv(m)))
    return out


def read_twice(ms: np.ndarray):
    out = []
    for m in ms:
        w = np.linalg.eigvalsh(m)
        out.append((w, w.sum()))
    return out


def written_too(ms: np.ndarray, low: np.ndarray):
    out = []
    for i, m in enumerate(ms):
        w = np.linalg.eigvalsh(m)
        low[i] = w[0]
        out.append((w, np.linalg.inv(m)))
    return out


def split(ms: list[np.ndarray]):
    us, ss, vts = zip(*(np.linalg.svd(m @ m.T) for m in ms))
    return [s.sum() for s in ss]


def split_list(ms: list[np.ndarray]):
    signs, logs = zip(*[np.linalg.slogdet(m) for m in ms])
    return signs, logs


def longest(ms: np.ndarray):
    return max(*(np.linalg.det(m) for m in ms))


INPUTS = {'': P, 'sing': SING, 'nan': N, 'f4': P.astype('f4'), 'empty': P[:0], 'strided': P[::2], 'list': RAG, 'none': []}
CASES = {
    f'{f}-{w}': (lambda x=x: (x.copy(),))
    for f in ('appended', 'of_array', 'read_twice', 'split', 'split_list', 'longest')
    for w, x in INPUTS.items()
}
del CASES['split-nan']
CASES |= {
    f'written_too-{w}': (lambda x=x: (x.copy(), np.zeros(5)))
    for w, x in (('', P), ('sing', SING), ('list', list(P)), ('long', RAG))
}
