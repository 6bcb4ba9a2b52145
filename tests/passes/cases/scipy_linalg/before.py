import numpy as np
from scipy import linalg


def whiten(x: np.ndarray):
    covariance = np.cov(x, rowvar=False)
    factor = linalg.cholesky(covariance, lower=True)
    return linalg.solve_triangular(factor, x.T, lower=True)


def invert(a: np.ndarray, b: np.ndarray):
    return linalg.inv(a, check_finite=False), linalg.solve(a, b, assume_a="pos")


def values(a: np.ndarray, t):
    return linalg.svdvals(linalg.expm(a * t))
