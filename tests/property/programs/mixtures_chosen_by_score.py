"""Gaussian mixture by EM, responsibilities, several restarts, result objects."""
import numpy as np
from dataclasses import dataclass, field

@dataclass
class Result:
    weights: np.ndarray
    means: np.ndarray
    covs: np.ndarray
    trace: list = field(default_factory=list)
    @property
    def score(self):
        return self.trace[-1]

def log_gauss(x, mean, cov):
    L = np.linalg.cholesky(cov)
    z = np.linalg.solve(L, (x - mean).T)
    return -0.5 * (z ** 2).sum(axis=0) - np.log(np.diag(L)).sum() - 0.5 * x.shape[1] * np.log(2 * np.pi)

def logsumexp(a, axis):
    m = a.max(axis=axis, keepdims=True)
    return (m + np.log(np.exp(a - m).sum(axis=axis, keepdims=True))).squeeze(axis)

def em(x, k, iters, rng):
    n, d = x.shape
    res = Result(np.full(k, 1 / k), x[rng.choice(n, k, replace=False)], np.stack([np.cov(x.T)] * k))
    for _ in range(iters):
        logp = np.stack([np.log(res.weights[j]) + log_gauss(x, res.means[j], res.covs[j]) for j in range(k)], axis=1)
        norm = logsumexp(logp, 1)
        res.trace.append(norm.mean())
        r = np.exp(logp - norm[:, None])
        nk = r.sum(axis=0)
        res.weights = nk / n
        res.means = (r.T @ x) / nk[:, None]
        for j in range(k):
            dx = x - res.means[j]
            res.covs[j] = (r[:, j, None] * dx).T @ dx / nk[j] + 1e-6 * np.eye(d)
    return res

def main():
    rng = np.random.default_rng(2)
    centres = rng.normal(0, 4, (4, 6))
    x = np.concatenate([c + rng.normal(size=(300, 6)) for c in centres])
    results = [em(x, 4, 8, np.random.default_rng(s)) for s in range(3)]
    best = max(results, key=lambda r: r.score)
    for i, r in enumerate(results):
        print(i, f"{r.score:.5f}", len(r.trace))
    print(np.sort(best.weights).round(4), np.sort(best.means[:, 0]).round(3))
main()
