import cupy as cp
import numpy as np
from gpuport.runtime import add_to, device, put_last


@device("x", "v", writes="x")
def head(x: np.ndarray, v: np.ndarray):
    x[cp.arange(len(v))] = v
    return x


@device("d", "w", writes="d")
def inner(d: np.ndarray, w: np.ndarray, n: int):
    i, j = cp.indices((n, n))
    i += 1
    j += 1
    d[i, j] = w[i, j] * 2
    return d


@device("p", "y")
def one_in_each_row(p: np.ndarray, y: np.ndarray):
    g = p.copy()
    rows = cp.arange(len(y))
    g[rows, y] -= 1
    return g


def scattered(n: int):
    x = cp.sin(cp.linspace(0.0, 9.0, n))
    order = x.argsort()
    out = cp.empty_like(x)
    out[order] = cp.cumsum(x[order])
    return cp.asnumpy(out)


@device("x", "v", require="x", writes="x")
def where_positive(x: np.ndarray, v: np.ndarray):
    places = cp.nonzero(x > 0)
    x[places] = v[places] ** 2
    return x


@device("x", "v", writes="x")
def grid(x: np.ndarray, v: np.ndarray, n: int):
    y, z = cp.mgrid[0:n, 0:n]
    x[y, z] = v * v
    return x


@device("x", "v", writes="x")
def drawn(x: np.ndarray, v: np.ndarray, k: int):
    rng = np.random.default_rng(0)
    chosen = cp.asarray(rng.choice(len(x), k, replace=False))
    x[chosen] = cp.sqrt(v)
    return x


@device("x", "v", writes="x")
def changed_by_another_name(x: np.ndarray, v: np.ndarray, n: int):
    i = cp.arange(n)
    k = i
    k[0] = 1
    x[i] = v[i] * 2
    return x


@device("x", "v", writes="x")
def from_below_zero(x: np.ndarray, v: np.ndarray, n: int):
    put_last(x, cp.arange(-3, n), v * 2)
    return x


@device("x", "v", require="x", writes="x")
def one_of_two(x: np.ndarray, v: np.ndarray):
    i, j = cp.nonzero(x > 0)
    put_last(x, (i, 0), v[i, j] * 2)
    return x


@device("x", "y", "v", writes="x")
def one_row_perhaps(x: np.ndarray, y: np.ndarray, v: np.ndarray, n: int):
    put_last(x, (cp.arange(n), y), v * v)
    return x


def with_replacement(x: np.ndarray, v: np.ndarray, k: int):
    rng = np.random.default_rng(0)
    x[rng.choice(len(x), k)] = np.sqrt(v)
    return x


@device("x", "v", writes="x")
def pairs_that_repeat(x: np.ndarray, v: np.ndarray):
    places = (cp.array([0, 0]), cp.array([1, 1]))
    put_last(x, places, v * 2)
    return x


def turned_meanwhile(n: int, m: int):
    x = cp.sin(cp.linspace(0.0, 9.0, n * m)).reshape(n, m)
    order = cp.argsort(x)
    x = x[0]
    put_last(x, order[0], x[::-1] * 2)
    put_last(x, order, cp.cos(order))
    return cp.asnumpy(x)


@device("x", "v", writes="x")
def columns_as_well(x: np.ndarray, v: np.ndarray, n: int):
    i, j = cp.indices((n, n))
    put_last(x, (i, j % 2), v * 2)
    return x


@device("f", writes="f")
def moved(f: NDArray[np.float64], n: int):
    w = cp.linspace(0.0, n, 40)
    for i in range(n):
        near = w > i
        f[cp.nonzero(near)[0] + i + 1] += cp.sqrt(w[near])
    return f


@device("f", writes="f")
def moved_back(f: NDArray[np.float64], n: int):
    w = cp.linspace(0.0, n, 40)
    for i in range(-n, n):
        near = w > i
        add_to(f, cp.nonzero(near)[0] + i, cp.sqrt(w[near]))
    return f
