import cupy as cp
import numpy as np
from gpuport.runtime import batched, device


@batched.loop(writes="coefficients")
def _fit_loop(designs, targets, coefficients):
    for x, y in zip(designs, targets):
        q, r = np.linalg.qr(x)
        coefficients.append(np.linalg.solve(r, q.T @ y))


@device("designs", "targets", require="designs", containers=("designs", "targets"))
def fit(designs, targets):
    coefficients = []
    _fit_loop(designs, targets, coefficients)
    return coefficients


@device("blocks", require="blocks", containers="blocks")
def factors(blocks):
    return batched.cholesky(blocks)


@batched.loop()
def _log_determinants_loop(lowers):
    return [2.0 * np.log(np.diagonal(f)).sum() for f in lowers]


@device("lowers", require="lowers", containers="lowers")
def log_determinants(lowers):
    return cp.array(_log_determinants_loop(lowers))


xs = [cp.ones((3, 2)) + cp.eye(3, 2), cp.eye(4)]
ys = [cp.arange(3.0), cp.arange(4.0)]
solutions = fit(xs, ys)


@batched.loop()
def _items_loop(xs):
    return [x.T @ x for x in xs]


lowers = factors(_items_loop(xs))
print(cp.asnumpy(cp.concatenate(solutions).sum()), cp.asnumpy(log_determinants(lowers).sum()))
