"""Functions of the program that are given the same for all items, and numbers within them."""
import numpy as np


def inverse_root(c):
    w, v = np.linalg.eigh(c)
    return v @ np.diag(1.0 / np.sqrt(w)) @ v.T


def distance(a, b):
    p = inverse_root(a)
    w = np.linalg.eigvalsh(p @ b @ p)
    return np.sqrt(np.sum(np.log(w) ** 2))


def distances(ms: np.ndarray, c: np.ndarray):
    return np.array([distance(c, m) for m in ms])


def first(c: np.ndarray):
    return c[0]


def rows(ms: np.ndarray, c: np.ndarray):
    out = np.zeros((len(ms), c.shape[0]))
    for i in range(len(ms)):
        r = first(c)
        out[i] = np.linalg.solve(ms[i], r)
    return out


def changed(ms: np.ndarray, c: np.ndarray):
    out = np.zeros((len(ms), c.shape[0]))
    for i in range(len(ms)):
        r = first(c)
        r[0] = 2.0
        out[i] = np.linalg.solve(ms[i], r)
    return out


def both(c):
    w, v = np.linalg.eigh(c)
    return w, np.abs(v)


def parts(ms: np.ndarray, c: np.ndarray):
    out = np.zeros_like(ms)
    for i in range(len(ms)):
        w, v = both(c)
        out[i] = ms[i] @ v + w
    return out


def density(x, s, n):
    sign, logdet = np.linalg.slogdet(s)
    return -0.5 * (x @ np.linalg.solve(s, x) + logdet + n * np.log(2 * np.pi))


def likelihood(xs: np.ndarray, ms: np.ndarray):
    total = 0.0
    for x, m in zip(xs, ms):
        total += density(x, m, len(x))
    return total


def skew(v: np.ndarray):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def spins(vs: np.ndarray):
    return np.array([np.linalg.eigvalsh(skew(v) @ skew(v).T) for v in vs])


def generators(vs: np.ndarray, m: np.ndarray):
    out = np.zeros((len(vs), 3, 3))
    for i in range(len(vs)):
        s = skew(vs[i])
        vs[i, 0] = 5.0
        out[i] = m @ s
    return out


def _some(n=4, dtype=float):
    a = np.random.default_rng(0).normal(size=(n, 3, 3))
    return (a @ a.swapaxes(1, 2) + np.eye(3)).astype(dtype)


CASES = {
    "distances": lambda: (_some(), _some()[1]),
    "distances-none": lambda: (_some(0), _some()[1]),
    "distances-single": lambda: (_some(dtype=np.float32), _some()[1]),
    "distances-nan": lambda: (_some(), _some()[1] * np.nan),
    "rows": lambda: (_some(), _some()[1]),
    "rows-singular": lambda: (_some() * np.array([1, 1, 0, 1])[:, None, None], _some()[1]),
    "changed": lambda: (_some(), _some()[1]),
    "parts": lambda: (_some(), _some()[1]),
    "likelihood": lambda: (_some()[0], _some(3)),
    "likelihood-none": lambda: (_some(0)[:, 0], _some(0)),
    "spins": lambda: (_some()[0],),
    "spins-single": lambda: (_some(dtype=np.float32)[0],),
    "spins-whole": lambda: ((9 * _some()[0]).astype(int),),
    "generators": lambda: (_some()[0], _some()[1]),
}
