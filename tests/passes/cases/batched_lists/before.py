import numpy as np


def fit(designs, targets):
    coefficients = []
    for x, y in zip(designs, targets):
        q, r = np.linalg.qr(x)
        coefficients.append(np.linalg.solve(r, q.T @ y))
    return coefficients


def factors(blocks):
    return [np.linalg.cholesky(b) for b in blocks]


def log_determinants(lowers):
    return np.array([2.0 * np.log(np.diagonal(f)).sum() for f in lowers])


xs = [np.ones((3, 2)) + np.eye(3, 2), np.eye(4)]
ys = [np.arange(3.0), np.arange(4.0)]
solutions = fit(xs, ys)
lowers = factors([x.T @ x for x in xs])
print(np.concatenate(solutions).sum(), log_determinants(lowers).sum())
