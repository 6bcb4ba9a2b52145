"""One small covariance matrix per pixel: batched solvers."""

import math
import sys

import cupy as cp
import numpy as np


def log_likelihood(cov, sample):
    _, logdet = cp.linalg.slogdet(cov)
    solved = cp.linalg.solve(cov, sample[:, :, None])[:, :, 0]
    maha = (sample * solved).sum(axis=1)
    return -0.5 * (maha + logdet + sample.shape[1] * math.log(2.0 * math.pi))


def main(path):
    rng = np.random.default_rng(81)
    base = rng.normal(size=(150, 5, 5))
    cov = cp.asarray(base @ base.transpose(0, 2, 1) + 0.5 * np.eye(5))
    rhs = cp.asarray(rng.normal(size=(150, 5)))
    found = {
        "inverse": cp.linalg.inv(cov),
        "solution": cp.linalg.solve(cov, rhs[:, :, None])[:, :, 0],
        "ll": log_likelihood(cov, rhs),
    }
    np.savez(path, **{name: cp.asnumpy(values) for name, values in found.items()})


if __name__ == "__main__":
    main(sys.argv[1])
