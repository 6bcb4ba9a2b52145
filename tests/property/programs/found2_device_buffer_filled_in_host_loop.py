import sys

import numpy as np


def silhouette(X, labels):
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    s = np.zeros(len(X))
    for i in range(len(X)):
        same = labels == labels[i]
        a = D[i, same].sum() / max(same.sum() - 1, 1)
        b = min(D[i, labels == l].mean() for l in np.unique(labels) if l != labels[i])
        s[i] = (b - a) / max(a, b)
    return s.mean()


if __name__ == "__main__":
    X = np.random.RandomState(1).randn(30, 4)
    print(silhouette(X, np.arange(30) % 3))
    np.savez(sys.argv[1], s=silhouette(X, np.arange(30) % 3))
