import cupy as cp
import numpy as np
from cupyx.scipy import linalg as cupyx_linalg
from gpuport.runtime import device
from scipy import linalg


@device("x", matrices="x")
def whiten(x: np.ndarray):
    covariance = cp.cov(x, rowvar=False)
    factor = cp.linalg.cholesky(covariance)
    return cupyx_linalg.solve_triangular(factor, x.T, lower=True)


def invert(a: np.ndarray, b: np.ndarray):
    return linalg.inv(a, check_finite=False), linalg.solve(a, b, assume_a="pos")


@device("a", "t", require="a")
def values(a: np.ndarray, t):
    return cp.linalg.svd(cupyx_linalg.expm(a * t), compute_uv=False)
