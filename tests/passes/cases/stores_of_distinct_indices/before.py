import numpy as np


def head(x: np.ndarray, v: np.ndarray):
    x[np.arange(len(v))] = v
    return x


def inner(d: np.ndarray, w: np.ndarray, n: int):
    i, j = np.indices((n, n))
    i += 1
    j += 1
    d[i, j] = w[i, j] * 2
    return d


def one_in_each_row(p: np.ndarray, y: np.ndarray):
    g = p.copy()
    rows = np.arange(len(y))
    g[rows, y] -= 1
    return g


def scattered(n: int):
    x = np.sin(np.linspace(0.0, 9.0, n))
    order = x.argsort()
    out = np.empty_like(x)
    out[order] = np.cumsum(x[order])
    return out


def where_positive(x: np.ndarray, v: np.ndarray):
    places = np.nonzero(x > 0)
    x[places] = v[places] ** 2
    return x


def grid(x: np.ndarray, v: np.ndarray, n: int):
    y, z = np.mgrid[0:n, 0:n]
    x[y, z] = v * v
    return x


def drawn(x: np.ndarray, v: np.ndarray, k: int):
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(x), k, replace=False)
    x[chosen] = np.sqrt(v)
    return x


def changed_by_another_name(x: np.ndarray, v: np.ndarray, n: int):
    i = np.arange(n)
    k = i
    k[0] = 1
    x[i] = v[i] * 2
    return x


def from_below_zero(x: np.ndarray, v: np.ndarray, n: int):
    x[np.arange(-3, n)] = v * 2
    return x


def one_of_two(x: np.ndarray, v: np.ndarray):
    i, j = np.nonzero(x > 0)
    x[i, 0] = v[i, j] * 2
    return x


def one_row_perhaps(x: np.ndarray, y: np.ndarray, v: np.ndarray, n: int):
    x[np.arange(n), y] = v * v
    return x


def with_replacement(x: np.ndarray, v: np.ndarray, k: int):
    rng = np.random.default_rng(0)
    x[rng.choice(len(x), k)] = np.sqrt(v)
    return x


def pairs_that_repeat(x: np.ndarray, v: np.ndarray):
    places = (np.array([0, 0]), np.array([1, 1]))
    x[places] = v * 2
    return x


def turned_meanwhile(n: int, m: int):
    x = np.sin(np.linspace(0.0, 9.0, n * m)).reshape(n, m)
    order = np.argsort(x)
    x = x[0]
    x[order[0]] = x[::-1] * 2
    x[order] = np.cos(order)
    return x


def columns_as_well(x: np.ndarray, v: np.ndarray, n: int):
    i, j = np.indices((n, n))
    x[i, j % 2] = v * 2
    return x


def moved(f: NDArray[np.float64], n: int):
    w = np.linspace(0.0, n, 40)
    for i in range(n):
        near = w > i
        f[np.nonzero(near)[0] + i + 1] += np.sqrt(w[near])
    return f


def moved_back(f: NDArray[np.float64], n: int):
    w = np.linspace(0.0, n, 40)
    for i in range(-n, n):
        near = w > i
        f[np.nonzero(near)[0] + i] += np.sqrt(w[near])
    return f
