import numpy as np

R = np.random.default_rng(21)
A = R.normal(size=(5, 6, 3))
N = A.copy()
N[2, 1, 1] = np.nan
ONE = A[:, :, :1]
RAG = [R.normal(size=s) for s in ((6, 3), (5, 2), (6, 3), (9, 4), (2, 2), (1, 3))]
MIXED = [*RAG, R.normal(size=(7, 1)), R.normal(size=(1, 7))]
C = A + 1j * R.normal(size=A.shape)


def cov(a: np.ndarray):
    return [np.cov(m) * 2 for m in a]


def columns(ms: list[np.ndarray]):
    return [np.cov(m, rowvar=False) * 2 for m in ms]


def turned(ms: list[np.ndarray]):
    out = []
    for m in ms:
        out.append(np.cov(m.T) * 2)
    return out


def biased(a: np.ndarray):
    return np.array([np.cov(m, rowvar=False, bias=True) for m in a])


def degrees(a: np.ndarray):
    return [np.cov(m, ddof=0) * 2 for m in a]


def correlation(ms: list[np.ndarray]):
    return {i: np.corrcoef(m, rowvar=False) * 2 for i, m in enumerate(ms)}


def rows(a: np.ndarray):
    return [np.corrcoef(m) * 2 for m in a]


def rebound(a: np.ndarray):
    out = []
    for m in a:
        m = m[:, :1]
        out.append(np.cov(m.T) * 2)
    return out


def covariance(data):
    centred = data - data.mean(axis=0)
    w = np.linalg.eigvalsh(np.cov(data, rowvar=False))
    return centred.sum(axis=0) * w


def handed(ms: list[np.ndarray]):
    return [covariance(m) for m in ms]


def mahalanobis(ms: list[np.ndarray], x: np.ndarray):
    return [float((x - m.mean(axis=0)) @ np.linalg.inv(np.cov(m.T)) @ (x - m.mean(axis=0))) for m in ms]


INPUTS = {
    '': A, 'nan': N, 'one': ONE, 'f4': A.astype('f4'), 'whole': (A * 9).astype('i8'), 'few': A[:, :1],
    'empty': A[:0], 'turned': A[:, ::-1].swapaxes(1, 2), 'complex': C, 'list': RAG, 'mixed': MIXED, 'none': [],
}
CASES = {
    f'{f}-{w}': (lambda x=x: (x.copy(),))
    for f in ('cov', 'columns', 'turned', 'biased', 'degrees', 'correlation', 'rows', 'rebound', 'handed')
    for w, x in INPUTS.items()
}
for name in ('biased-list', 'biased-mixed', 'handed-one', 'handed-mixed'):  # NumPy refuses these too
    del CASES[name]
CASES['mahalanobis'] = lambda: (list(A), np.ones(3))
