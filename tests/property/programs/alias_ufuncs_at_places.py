import numpy as np


def scatter(x, i, v):
    post = np.full_like(x, -1.0) * 2.0
    np.logaddexp.at(post, i, v)
    return np.exp(x) - post


def scatter2(x, i, v):
    post = np.exp(x)
    np.multiply.at(post, i, v)
    return np.exp(x) - post


def scatter3(x, i, v):
    np.fmax.at(x, (slice(None), i), v)
    return np.exp(x)


if __name__ == "__main__":
    x = np.arange(6.0)
    i = np.array([1, 1, 3])
    v = np.array([0.5, 2.0, 3.0])
    print(scatter(x, i, v))
    print(scatter2(x, i, v))
    x2 = np.arange(12.0).reshape(2, 6)
    print(scatter3(x2, i, v * 7), x2)
