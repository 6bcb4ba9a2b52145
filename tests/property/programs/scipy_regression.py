import sys

import numpy as np
from scipy import linalg, special, stats


def log_likelihood(weights, x, y):
    z = x @ weights
    return np.sum(y * special.log_expit(z) + (1 - y) * special.log_expit(-z))


def newton(x, y, steps):
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        p = special.expit(x @ weights)
        gradient = x.T @ (y - p)
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 0.1 * np.eye(x.shape[1])
        weights = weights + linalg.solve(hessian, gradient)
    return weights


def errors(weights, x):
    covariance = linalg.inv(x.T @ x)
    z = weights / np.sqrt(np.diag(covariance))
    return z, 2 * stats.norm.sf(np.abs(z))


rng = np.random.default_rng(4)
x = rng.standard_normal((200, 4))
y = (x @ np.array([1.0, -2.0, 0.5, 0.0]) + rng.logistic(size=200) > 0).astype(float)
weights = newton(x, y, 6)
z, p = errors(weights, x)
print(f"{log_likelihood(weights, x, y):.6f}")
np.savez(sys.argv[1], weights=weights, z=z, p=p, order=np.array([stats.zscore(z)]))
