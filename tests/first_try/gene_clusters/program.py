"""Co-expression clusters of a time-course experiment: k-means with careful seeding, then a
Gaussian mixture with full covariances, scored by BIC, silhouette and adjusted Rand index."""
import sys
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

PROFILES = """
# name        amp   phase  trend  spread  genes
ribosome      0.2   0.0    -1.1   0.25    210
cell_cycle    1.6   0.6     0.0   0.30    260
stress        0.9   2.4     1.3   0.35    180
lipid         1.1   4.1    -0.4   0.28    150
flat          0.1   0.0     0.0   0.40    300
"""


@dataclass
class Profile:
    name: str
    amp: float
    phase: float
    trend: float
    spread: float
    genes: int


def read_profiles(text):
    found = []
    for line in text.strip().splitlines():
        if line.startswith("#"):
            continue
        name, *nums = line.split()
        found.append(Profile(name, *map(float, nums[:4]), int(nums[4])))
    return found


def simulate(profiles, times, rng):
    """Log2 expression, genes by time points, and the group each gene was drawn from."""
    blocks, labels = [], []
    for k, p in enumerate(profiles):
        base = p.amp * np.sin(2 * np.pi * times / 8.0 + p.phase) + p.trend * (times / times[-1] - 0.5)
        gain = 1.0 + 0.2 * rng.standard_normal((p.genes, 1))
        shift = rng.normal(7.0, 1.5, (p.genes, 1))
        blocks.append(shift + gain * base + p.spread * rng.standard_normal((p.genes, len(times))))
        labels.append(np.full(p.genes, k))
    return np.concatenate(blocks), np.concatenate(labels)


def quantile_normalise(x):
    """Gives every time point the same distribution of values."""
    order = np.argsort(x, axis=0)
    mean = np.sort(x, axis=0).mean(axis=1)
    out = np.empty_like(x)
    for j in range(x.shape[1]):
        out[order[:, j], j] = mean
    return out


def centre_genes(x):
    return x - np.median(x, axis=1, keepdims=True)


def seed_centres(x, k, rng):
    """k-means++: each new centre is drawn with probability proportional to squared distance."""
    centres = [x[rng.integers(len(x))]]
    nearest = ((x - centres[0]) ** 2).sum(axis=1)
    for _ in range(1, k):
        cum = np.cumsum(nearest)
        pick = int(np.searchsorted(cum, rng.random() * cum[-1]))
        centres.append(x[pick])
        nearest = np.minimum(nearest, ((x - x[pick]) ** 2).sum(axis=1))
    return np.array(centres)


def lloyd(x, centres, max_iter=40):
    centres = centres.copy()
    assign = np.full(len(x), -1)
    for it in range(max_iter):
        d2 = ((x[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        new = d2.argmin(axis=1)
        if np.array_equal(new, assign):
            break
        assign = new
        for c in range(len(centres)):
            members = x[assign == c]
            if len(members):
                centres[c] = members.mean(axis=0)
    inertia = d2[np.arange(len(x)), assign].sum()
    return centres, assign, inertia


class GaussianMixture:
    def __init__(self, x, assign, k, ridge=0.02):
        self.x, self.k, self.ridge = x, k, ridge
        self.resp = np.zeros((len(x), k))
        self.resp[np.arange(len(x)), assign] = 1.0
        self.maximise()

    def maximise(self):
        n, d = self.x.shape
        weight = self.resp.sum(axis=0) + 1e-9
        self.pi = weight / n
        self.mu = self.resp.T @ self.x / weight[:, None]
        self.chol = np.empty((self.k, d, d))
        for c in range(self.k):
            dev = self.x - self.mu[c]
            cov = (self.resp[:, c, None] * dev).T @ dev / weight[c]
            self.chol[c] = np.linalg.cholesky(cov + self.ridge * np.eye(d))

    def expect(self):
        n, d = self.x.shape
        logp = np.empty((n, self.k))
        for c in range(self.k):
            z = np.linalg.solve(self.chol[c], (self.x - self.mu[c]).T)
            logdet = np.log(np.diag(self.chol[c])).sum()
            logp[:, c] = np.log(self.pi[c]) - 0.5 * (z * z).sum(axis=0) - logdet - 0.5 * d * np.log(2 * np.pi)
        total = logsumexp(logp, axis=1)
        self.resp = np.exp(logp - total[:, None])
        return total.sum()

    def fit(self, steps=12):
        trace = []
        for _ in range(steps):
            trace.append(float(self.expect()))
            self.maximise()
        return trace

    def bic(self, loglik):
        n, d = self.x.shape
        params = self.k * (1 + d + d * (d + 1) // 2) - 1
        return params * np.log(n) - 2.0 * loglik


def silhouette(x, assign, k):
    dist = np.sqrt(((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2))
    mean = np.empty((len(x), k))
    for c in range(k):
        mean[:, c] = dist[:, assign == c].sum(axis=1)
    size = np.bincount(assign, minlength=k)
    rows = np.arange(len(x))
    own = mean[rows, assign] / np.maximum(size[assign] - 1, 1)
    mean = mean / size
    mean[rows, assign] = np.inf
    other = mean.min(axis=1)
    return (other - own) / np.maximum(other, own)


def contingency(a, b):
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1.0)
    return table


def adjusted_rand(table):
    def pairs(v):
        return float((v * (v - 1) / 2).sum())
    rows, cols, both = pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), pairs(table)
    expected = rows * cols / pairs(table.sum())
    return (both - expected) / (0.5 * (rows + cols) - expected)


def main():
    profiles = read_profiles(PROFILES)
    rng = np.random.default_rng(41)
    raw, truth = simulate(profiles, np.arange(12.0), rng)
    x = centre_genes(quantile_normalise(raw))
    scores, fits = [], {}
    for k in range(3, 7):
        runs = [lloyd(x, seed_centres(x, k, rng)) for _ in range(3)]
        centres, assign, inertia = min(runs, key=lambda r: r[2])
        model = GaussianMixture(x, assign, k)
        trace = model.fit()
        fits[k] = (model, assign, trace)
        scores.append((k, inertia, model.bic(trace[-1])))
        print(f"k={k}: inertia {inertia:.4g}, BIC {scores[-1][2]:.4g}")
    best = min(scores, key=lambda s: s[2])[0]
    model, assign, trace = fits[best]
    table = contingency(truth, assign)
    sil = silhouette(x, assign, best)
    print(f"best k {best}, adjusted Rand {adjusted_rand(table):.4f}, silhouette {sil.mean():.4f}")
    np.savez(sys.argv[1], scores=np.array(scores), table=table, silhouette=sil, mu=model.mu,
             pi=model.pi, resp=model.resp, trace=np.array(trace))


if __name__ == "__main__":
    main()
