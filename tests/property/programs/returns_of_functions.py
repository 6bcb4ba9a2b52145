"""Functions with flags, called at the top of the module and from each other."""
import numpy as np


def stats(x, axis=0, with_count=False, ddof=None):
    if ddof is None:
        m = x.mean(axis=axis)
    else:
        m = x.sum(axis=axis) / (x.shape[axis] - ddof)
    if with_count:
        return m, x.shape[axis]
    return m


def whiten(x, kind="pca", check=False):
    m = stats(x)
    c = (x - m).T @ (x - m) / len(x)
    if check and not np.isfinite(c).all():
        return None
    w, v = np.linalg.eigh(c)
    if kind == "pca":
        return (x - m) @ v / np.sqrt(w)
    elif kind == "zca":
        return (x - m) @ v @ np.diag(1 / np.sqrt(w)) @ v.T
    elif kind == "both":
        return whiten(x), whiten(x, "zca")


def split(x, labels=None):
    if labels is None:
        return x[: len(x) // 2], x[len(x) // 2 :]
    return {k: x[labels == k] for k in np.unique(labels)}


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5))
    print(stats(x).round(6))
    m, n = stats(x, with_count=True)
    print(n, m.sum().round(6), stats(x, 1, ddof=1)[:3].round(6))
    p, z = whiten(x, "both")
    print(np.abs(p).sum().round(5), np.abs(z).sum().round(5), whiten(x, "none"))
    w = whiten(x, check=True)
    if w is not None:
        print(w.shape, np.cov(w.T).diagonal().round(4))
    y = x.copy()
    y[3, 3] = np.nan
    print(whiten(y, check=True))
    a, b = split(np.sqrt(np.abs(x)))
    print(a.shape, b.sum().round(6))
    g = split(x, (x[:, 0] > 0).astype(int))
    print({k: v.sum().round(6) for k, v in g.items()})
    for flag in (False, True):
        r = stats(x, with_count=flag)
        print(type(r).__name__)
