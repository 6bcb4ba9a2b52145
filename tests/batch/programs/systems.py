import numpy as np
import scipy.linalg
from numpy.linalg import lstsq

R = np.random.default_rng(6)
A = R.normal(size=(5, 6, 3))
B = R.normal(size=(5, 6))
M = R.normal(size=(5, 6, 2))
D = A.copy()
D[2, :, 1] = D[2, :, 0]
Q = R.normal(size=(4, 3, 3))
W = Q * np.array([1e-3, 1.0, 30.0, 0.0])[:, None, None]


def first(a: np.ndarray, b: np.ndarray):
    out = np.zeros((len(a), a.shape[2]))
    for i in range(len(a)):
        out[i] = np.linalg.lstsq(a[i], b[i], rcond=None)[0]
    return out


def unpacked(a: np.ndarray, b: np.ndarray):
    xs, ss = [], []
    for m, y in zip(a, b):
        x, res, rank, s = lstsq(m, y, rcond=None)
        xs.append(x)
        ss.append(s)
    return xs, ss


def residuals(a: np.ndarray, b: np.ndarray):
    out = []
    for m, y in zip(a, b):
        x, res, rank, s = np.linalg.lstsq(m, y, rcond=None)
        out.append(res)
    return out


def second(a: np.ndarray, b: np.ndarray):
    return [np.linalg.lstsq(m, y, rcond=None)[1] for m, y in zip(a, b)]


def same_right(a: np.ndarray, y: np.ndarray):
    return [np.linalg.lstsq(m, y, 1e-8)[0] for m in a]


def machine(a: np.ndarray, b: np.ndarray):
    return [np.linalg.lstsq(m, y, rcond=-1)[0] for m, y in zip(a, b)]


def ranks(a: np.ndarray, b: np.ndarray):
    out = []
    for m, y in zip(a, b):
        x, _, rank, _ = np.linalg.lstsq(m, y, rcond=1e-10)
        out.append(x * rank)
    return out


def same_matrix(m: np.ndarray, b: np.ndarray):
    return [np.linalg.lstsq(m, y, rcond=None)[0] for y in b]


def exponential(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = scipy.linalg.expm(a[i])
    return out


def step(a: np.ndarray, x: np.ndarray, t: float):
    return [scipy.linalg.expm(m * t) @ x for m in a]


def fixed(a: np.ndarray, g: np.ndarray):
    return [scipy.linalg.expm(g) @ np.linalg.inv(m) for m in a]


def frobenius(a: np.ndarray):
    return np.array([np.linalg.norm(m, "fro") for m in a])


CASES = {
    "first": lambda: (A.copy(), B.copy()), "first-deficient": lambda: (D.copy(), B.copy()),
    "first-wide": lambda: (A.transpose(0, 2, 1).copy(), B[:, :3].copy()),
    "first-none": lambda: (A[:0].copy(), B[:0].copy()), "first-short": lambda: (A.copy(), B[:3].copy()),
    "first-complex": lambda: (A + 1j, B.copy()), "first-zero": lambda: (A * 0, B.copy()),
    "first-whole": lambda: ((A * 9).astype(int), B.copy()), "first-mismatch": lambda: (A.copy(), B[:, :4].copy()),
    "unpacked": lambda: (A.copy(), B.copy()), "unpacked-matrices": lambda: (A.copy(), M.copy()),
    "unpacked-deficient": lambda: (D.copy(), M.copy()),
    "residuals": lambda: (A.copy(), B.copy()), "residuals-deficient": lambda: (D.copy(), B.copy()),
    "second": lambda: (A.copy(), B.copy()), "same_right": lambda: (A.copy(), B[0].copy()),
    "same_right-matrix": lambda: (A.copy(), M[0].copy()),
    "machine": lambda: (A.copy(), B.copy()), "ranks": lambda: (D.copy(), B.copy()),
    "same_matrix": lambda: (A[0].copy(), B.copy()),
    "exponential": lambda: (Q.copy(),), "exponential-scales": lambda: (W.copy(),),
    "exponential-complex": lambda: (Q * 1j,), "exponential-single": lambda: (Q.astype("f4"),),
    "exponential-whole": lambda: ((Q * 3).astype(int),), "exponential-none": lambda: (Q[:0],),
    "exponential-nilpotent": lambda: (np.triu(Q, 1) * 8,), "exponential-one": lambda: (Q[:, :1, :1].copy(),),
    "exponential-oblong": lambda: (A.copy(),),
    "step": lambda: (Q.copy(), B[0, :3].copy(), 0.1), "step-whole": lambda: (Q.copy(), B[0, :3].copy(), 2),
    "fixed": lambda: (Q.copy(), Q[1].copy()),
    "frobenius": lambda: (Q.copy(),), "frobenius-vectors": lambda: (B.copy(),),
}
