import sys
import numpy as np
from scipy import linalg, sparse
from scipy.sparse import linalg as splinalg


def whiten(x):
    covariance = np.cov(x, rowvar=False)
    values, vectors = linalg.eigh(covariance)
    return (x - x.mean(axis=0)) @ vectors / np.sqrt(values)


def propagate(a, t):
    return linalg.expm(a * t)


def solved(a, b):
    lower = np.linalg.cholesky(a)
    y = linalg.solve_triangular(lower, b, lower=True)
    return linalg.solve_triangular(lower.T, y)


def direct(a, b):
    u, s, vt = linalg.svd(a, full_matrices=False)
    return linalg.inv(a) @ b, linalg.solve(a, b), s, linalg.norm(a), linalg.det(a)


def kernel(c):
    return linalg.toeplitz(c)


def poisson(n, f):
    a = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n), format="csc")
    return splinalg.spsolve(a, f)


def main(path):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((100, 5))
    a = x.T @ x + np.eye(5)
    b = rng.standard_normal(5)
    d, e, s, n, det = direct(a, b)
    np.savez(path, w=whiten(x), p=propagate(a / 50.0, 0.3), s=solved(a, b), d=d, e=e, sv=s, n=n, det=det,
             k=kernel(b), z=poisson(20, np.ones(20)))


main(sys.argv[1])
