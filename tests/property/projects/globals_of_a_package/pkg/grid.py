import numpy as np

N = 4000
X = np.linspace(0.0, 1.0, N)
weights = np.ones(N) / N
HALF = X[: N // 2]
STEP = X[1] - X[0]


def rescale(k):
    weights[:] = weights * k
    return weights.sum()


def local():
    X = np.arange(3.0)
    return X.sum()
