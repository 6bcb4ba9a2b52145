import numpy as np

R = np.random.default_rng(26)
A = R.normal(size=(5, 3, 3))
S = A.copy()
S[3] = 0
RAG = [R.normal(size=(n, n)) for n in (3, 2, 3)]


def inverses(a: np.ndarray):
    out = np.empty_like(a)
    i = 0
    while i < len(a):
        out[i] = np.linalg.inv(a[i])
        i += 1
    return out, i


def inverses_of_list(ms: list[np.ndarray]):
    found = []
    i = 0
    while i < len(ms):
        found.append(np.linalg.inv(ms[i]).T)
        i = i + 1
    return found


def determinants(a: np.ndarray, n: int):
    out = np.zeros(len(a))
    k = 0
    while n > k:
        out[k] = np.linalg.det(a[k])
        k += 1
    return out, k


def into(a: np.ndarray, out: np.ndarray):
    i = 0
    while i < a.shape[0]:
        out[i] = np.linalg.inv(a[i])
        i += 1


def from_one(a: np.ndarray):
    out = np.zeros_like(a)
    i = 1
    while i < len(a):
        out[i] = np.linalg.inv(a[i])
        i += 1
    return out


def begun_before(a: np.ndarray, late: bool):
    out = np.zeros_like(a)
    i = 0
    if late:
        i = 2
    while i < len(a):
        out[i] = np.linalg.inv(a[i])
        i += 1
    return out


def by_twos(a: np.ndarray):
    out = np.zeros_like(a)
    i = 0
    while i < len(a):
        out[i] = np.linalg.inv(a[i])
        i += 2
    return out


def until(a: np.ndarray):
    out = np.zeros_like(a)
    i = 0
    while i < len(a):
        out[i] = np.linalg.inv(a[i])
        if out[i, 0, 0] > 0:
            break
        i += 1
    return out, i


def shrinking(a: np.ndarray, n: int):
    out = np.zeros_like(a)
    i = 0
    while i < n:
        out[i] = np.linalg.inv(a[i])
        n = n - 1
        i += 1
    return out, i, n


CASES = {
    f'{f}-{w}': (lambda x=x: (x.copy(),))
    for f in ('inverses', 'from_one', 'by_twos', 'until')
    for w, x in (('', A), ('sing', S), ('empty', A[:0]), ('f4', A.astype('f4')))
}
CASES |= {f'inverses_of_list-{w}': (lambda x=x: (list(x),)) for w, x in (('', RAG), ('sing', S), ('none', []))}
CASES |= {f'{f}-{n}': (lambda n=n: (A.copy(), n)) for f in ('determinants', 'shrinking') for n in (0, 3, 5, -1)}
CASES |= {f'begun_before-{n}': (lambda n=n: (A.copy(), n)) for n in (True, False)}
CASES |= {'into': lambda: (A.copy(), np.zeros_like(A)), 'into-sing': lambda: (S.copy(), np.zeros_like(A))}
