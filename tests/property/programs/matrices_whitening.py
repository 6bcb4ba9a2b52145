"""Whitening per channel, and the log likelihood of samples per class."""
import numpy as np


def whiten_channels(x: np.ndarray, eps: float = 1e-6):
    """x: (channels, samples, features)."""
    out = np.empty_like(x)
    for c in range(x.shape[0]):
        xc = x[c] - x[c].mean(axis=0)
        cov = xc.T @ xc / (len(xc) - 1)
        w, v = np.linalg.eigh(cov)
        out[c] = xc @ (v @ np.diag(1.0 / np.sqrt(w + eps)) @ v.T)
    return out


def log_likelihood(x: np.ndarray, means: np.ndarray, covs: np.ndarray):
    n, d = x.shape
    k = len(means)
    ll = np.zeros((n, k))
    for j in range(k):
        diff = x - means[j]
        sign, logdet = np.linalg.slogdet(covs[j])
        sol = np.linalg.solve(covs[j], diff.T)
        maha = np.sum(diff * sol.T, axis=1)
        ll[:, j] = -0.5 * (maha + logdet + d * np.log(2 * np.pi))
    return ll


def classify(x: np.ndarray, classes: dict[str, np.ndarray]):
    scores = {}
    for name, samples in classes.items():
        mu = samples.mean(axis=0)
        cov = np.cov(samples, rowvar=False)
        L = np.linalg.cholesky(cov)
        y = np.linalg.solve(L, (x - mu).T)
        scores[name] = -0.5 * np.sum(y ** 2, axis=0) - np.log(np.diag(L)).sum()
    return scores


def main():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(6, 200, 4))
    w = whiten_channels(x)
    print(np.abs(w).sum().round(6))
    a = rng.normal(size=(3, 4, 4))
    covs = a @ a.transpose(0, 2, 1) + np.eye(4)
    print(log_likelihood(x[0], rng.normal(size=(3, 4)), covs).sum().round(6))
    classes = {n: rng.normal(size=(40 + i, 4)) + i for i, n in enumerate("abc")}
    print({k: v.sum().round(6) for k, v in classify(x[0], classes).items()})


if __name__ == "__main__":
    main()
