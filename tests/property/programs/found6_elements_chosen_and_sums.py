import sys
import numpy as np

def gmm_logpdf(x, means, covs, weights):
    n, d = x.shape
    out = np.empty((n, len(means)))
    for k, (mu, c) in enumerate(zip(means, covs)):
        l = np.linalg.cholesky(c)
        z = np.linalg.solve(l, (x - mu).T)
        out[:, k] = np.log(weights[k]) - 0.5 * (z * z).sum(axis=0) - np.log(np.diag(l)).sum() - 0.5 * d * np.log(2 * np.pi)
    m = out.max(axis=1, keepdims=True)
    return (m + np.log(np.exp(out - m).sum(axis=1, keepdims=True)))[:, 0]

def lyapunov(pattern, a, b, n_iter=60):
    out = np.zeros((len(b), len(a)))
    for i in range(len(b)):
        for j in range(len(a)):
            x, s = 0.5, 0.0
            for k in range(n_iter):
                r = a[j] if pattern[k % len(pattern)] == 0 else b[i]
                x = r * x * (1 - x)
                s += np.log(max(abs(r * (1 - 2 * x)), 1e-12))
            out[i, j] = s / n_iter
    return out

rng = np.random.default_rng(3)
p = gmm_logpdf(rng.normal(size=(50, 2)), rng.normal(size=(3, 2)), np.array([np.eye(2) * (1 + k) for k in range(3)]), np.full(3, 1 / 3))
l = lyapunov([0, 1], np.linspace(2.5, 4, 5), np.linspace(2.5, 4, 6))
np.savez(sys.argv[1], p=p, l=l)
