"""Loops over SciPy's functions of matrices, of which NumPy's are the counterparts."""

import numpy as np
import scipy.linalg
from scipy import linalg as sla

RNG = np.random.default_rng(5)
MATS = [m @ m.T + np.eye(3) for m in RNG.standard_normal((6, 3, 3))]
LARGER = [m @ m.T + np.eye(4) for m in RNG.standard_normal((2, 4, 4))]
SINGULAR = [*MATS[:3], np.zeros((3, 3)), *MATS[4:]]


def inverses(ms: list[np.ndarray]):
    return [sla.inv(m) for m in ms]


def unchecked(ms: list[np.ndarray]):
    return [sla.inv(m, check_finite=False) @ m.T for m in ms]


def singular_values(ms: list[np.ndarray]):
    return [scipy.linalg.svdvals(m) for m in ms]


def decomposed(ms: list[np.ndarray]):
    out = []
    for m in ms:
        u, s, vt = sla.svd(m, full_matrices=False)
        out.append((u * s) @ vt)
    return out


def lower_factors(ms: list[np.ndarray]):
    return [sla.cholesky(m, lower=True) for m in ms]


def upper_factors(ms: list[np.ndarray]):
    return [sla.cholesky(m) for m in ms]


def norms(ms: list[np.ndarray]):
    return [sla.norm(sla.inv(m)) for m in ms]


def spectra(ms: list[np.ndarray]):
    return [sla.eigvalsh(m) for m in ms]


def solutions(ms: list[np.ndarray], rights: list[np.ndarray]):
    return [sla.solve(a, b) for a, b in zip(ms, rights)]


def determinants(ms: np.ndarray):
    return [float(sla.det(m)) for m in ms.astype(np.float64)]


def products(ms: list[np.ndarray]):
    v = np.arange(3.0)
    return [m.dot(v) for m in ms]


LISTS = {
    "": MATS,
    "empty": [],
    "ragged": [*MATS[:2], *LARGER, *MATS[2:]],
    "singular": SINGULAR,
    "single": [m.astype(np.float32) for m in MATS],
    "array": np.array(MATS),
}

CASES = {
    **{
        f"{name}-{word}": lambda given=given: (given,)
        for name in ("inverses", "unchecked", "singular_values", "decomposed", "lower_factors",
                     "upper_factors", "norms", "spectra")
        for word, given in LISTS.items()
    },
    "determinants": lambda: (np.array(MATS),),
    "determinants-singular": lambda: (np.array(SINGULAR),),
    "solutions": lambda: (MATS, [m[0] for m in MATS]),
    "solutions-matrices": lambda: (MATS, MATS),
    "solutions-singular": lambda: (SINGULAR, [m[0] for m in MATS]),
    "products": lambda: (MATS,),
    "products-empty": lambda: ([],),
}  # fmt: skip
