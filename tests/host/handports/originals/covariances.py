"""One small covariance matrix per pixel."""

import sys

import numpy as np


def invert_all(cov):
    """Precision matrices; cov: (n, d, d)."""
    out = np.zeros_like(cov)
    for i in range(cov.shape[0]):
        out[i] = np.linalg.inv(cov[i])
    return out


def solve_all(cov, rhs):
    """Solve cov[k] x = rhs[k] for every k; rhs: (n, d)."""
    x = np.empty(rhs.shape)
    for k in range(len(cov)):
        x[k, :] = np.linalg.solve(cov[k], rhs[k])
    return x


def log_likelihood(cov, sample):
    """Gaussian log density of one sample per covariance."""
    n, d = sample.shape
    ll = np.zeros(n)
    for i in range(n):
        _, logdet = np.linalg.slogdet(cov[i])
        maha = sample[i] @ np.linalg.solve(cov[i], sample[i])
        ll[i] = -0.5 * (maha + logdet + d * np.log(2.0 * np.pi))
    return ll


def main(path):
    rng = np.random.default_rng(81)
    base = rng.normal(size=(150, 5, 5))
    cov = base @ base.transpose(0, 2, 1) + 0.5 * np.eye(5)
    rhs = rng.normal(size=(150, 5))
    np.savez(
        path, inverse=invert_all(cov), solution=solve_all(cov, rhs), ll=log_likelihood(cov, rhs)
    )


if __name__ == "__main__":
    main(sys.argv[1])
