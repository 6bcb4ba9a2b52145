import numpy as np
def f32(a: np.ndarray):
    return [np.linalg.inv(m.astype(np.float32)) for m in a]
def f64(a: np.ndarray):
    return [np.linalg.inv((m @ m.T + np.eye(3)).astype("float64")).astype(np.float32) for m in a]
def fl(a: np.ndarray):
    return [np.linalg.inv(m.astype(float)) for m in a]
def fd(a: np.ndarray):
    return [np.linalg.inv(m.astype(a.dtype)) for m in a]
def fo(a: np.ndarray):
    return [np.linalg.inv(m.astype(m.dtype)) for m in a]
A = np.random.default_rng(0).normal(size=(6, 3, 3)); S = A.copy(); S[3] = 0
CASES = {f'{f}-{w}': (lambda x=x: (x.copy(),)) for f in ('f32', 'f64', 'fl', 'fd', 'fo') for w, x in (('', A), ('sing', S), ('e', A[:0]), ('c', A + 1j), ('i', (A * 9).astype(int)), ('f4', A.astype('f4')), ('4d', np.stack([A, A])))}
