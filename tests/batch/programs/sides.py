import numpy as np

R = np.random.default_rng(25)
A = R.normal(size=(4, 3, 3)) + 3 * np.eye(3)
S = A.copy()
S[2] = 0
T = R.normal(size=(4, 6, 3))
D = R.normal(size=(6, 3))
LOW = D.copy()
LOW[:, 2] = LOW[:, 1]
Y = R.normal(size=(4, 6))


def one_right(a: np.ndarray, b: np.ndarray):
    return [np.linalg.solve(m, b[0]) for m in a]


def one_block(a: list[np.ndarray], b: np.ndarray):
    return [np.linalg.solve(m, b) for m in a]


def stacked(a: list[np.ndarray]):
    return np.stack([np.linalg.solve(m, np.ones(3)) for m in a])


def one_matrix(a: np.ndarray, b: np.ndarray):
    out = np.empty_like(b)
    for i in range(len(b)):
        out[i] = np.linalg.solve(a[0], b[i])
    return out


def fitted(design: np.ndarray, y: np.ndarray):
    out = np.zeros((y.shape[0], design.shape[1]), y.dtype)
    for i in range(y.shape[0]):
        out[i], _, _, _ = np.linalg.lstsq(design, y[i], rcond=None)
    return out


def ranks(design: np.ndarray, y: np.ndarray):
    found = []
    for v in y:
        x, _, rank, s = np.linalg.lstsq(design, v, rcond=None)
        found.append(x * s[0] * rank)
    return found


def masked(design: np.ndarray, y: np.ndarray, mask: np.ndarray):
    betas = np.full((y.shape[0], design.shape[1]), np.nan)
    for v in range(y.shape[0]):
        if not mask[v]:
            continue
        beta, _, _, _ = np.linalg.lstsq(design, y[v], rcond=None)
        betas[v] = beta - (y[v] - design @ beta).sum()
    return betas


CASES = {
    f'{f}-{w}': (lambda a=a: (a.copy(), A[1].copy()))
    for f in ('one_right', 'one_block')
    for w, a in (('', A), ('sing', S), ('list', list(A)), ('f4', A.astype('f4')), ('empty', A[:0]), ('ragged', [A[0], np.eye(2)]))
}
CASES |= {f'stacked-{w}': (lambda a=a: (list(a),)) for w, a in (('', A), ('sing', S), ('one', A[:1]))}
CASES |= {
    'one_matrix': lambda: (A.copy(), T[:, :3].copy()),
    'one_matrix-sing': lambda: (S[2:].copy(), T[:, :3].copy()),
    'one_matrix-empty': lambda: (A.copy(), T[:0, :3].copy()),
}
CASES |= {
    f'{f}-{w}': (lambda d=d, y=y: (d.copy(), y.copy()))
    for f in ('fitted', 'ranks')
    for w, d, y in (
        ('', D, Y), ('low', LOW, Y), ('empty', D, Y[:0]), ('wide', D[:2], Y[:, :2]), ('f4', D.astype('f4'), Y.astype('f4')),
        ('odd', D, Y[:, :4]),
    )
}
CASES |= {
    f'masked-{w}': (lambda m=m: (D.copy(), Y.copy(), np.array(m, dtype=bool)))
    for w, m in (('some', [1, 0, 0, 1]), ('all', [1] * 4), ('none', [0] * 4))
}
del CASES['ranks-f4']  # of double precision by the rank, with the digits of single
