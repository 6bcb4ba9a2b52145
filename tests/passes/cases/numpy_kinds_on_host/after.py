import cupy as cp
import numpy as np
import numpy.ma as ma
from gpuport.runtime import device, kernel
from numpy.polynomial import Polynomial
from numpy.polynomial import chebyshev


def masked(x: np.ndarray):
    m = np.ma.masked_where(x > 1, x)
    return m.mean() + np.sin(x)


def masked2(x: np.ndarray):
    return ma.median(ma.array(x, mask=x < 0)) * np.cos(x)


def text(names: np.ndarray):
    return np.char.upper(names)


def fields(x: np.ndarray):
    record = np.zeros(3, dtype=[("a", float), ("b", int)])
    record["a"] = np.sin(x)
    return record["a"] * 2


def objects(x: np.ndarray):
    o = np.array([None, x], dtype=object)
    return np.exp(x), o


def dates(x: np.ndarray):
    start = np.datetime64("2020-01-01")
    return start + x.astype("timedelta64[D]"), np.exp(x)


def span(n):
    return np.arange(np.datetime64("2020-01-01"), np.datetime64("2020-02-01")), np.sqrt(np.arange(n))


def poly(x: np.ndarray):
    p = Polynomial([1.0, 2.0])
    return p(x) + np.exp(x)


def poly1(x: np.ndarray, c: np.ndarray):
    p = np.poly1d(c)
    return p(np.exp(x))


def cheb(x: np.ndarray):
    return chebyshev.chebval(x, [1.0, 2.0]) + np.exp(x)


def matrix(x: np.ndarray):
    m = np.matrix(x)
    return m * m, np.exp(x)


def asmat(x: np.ndarray):
    return np.asmatrix(x) * np.exp(x)


@device("x")
def strings(x: np.ndarray):
    return np.array(["a", "b"])[cp.asnumpy(x.astype(int))], cp.exp(x)


def longs(x: np.ndarray):
    return np.exp(x.astype(np.longdouble))


@kernel(
    "raw T given_flat",
    "float64 values_items_items",
    """
    const T v = given_flat[i_];
    values_items_items = (double)v + 1;
    """,
    over="i_ in range(len(given_flat))",
    returns="values_items_items",
)
def _vect(given_flat):
    values_items = []
    for v in given_flat:
        values_items.append(float(v) + 1)
    return values_items


@device("x")
def vect(x: np.ndarray):
    given = cp.exp(x)
    if given.dtype == np.float64 and given.size:
        given_flat = given.ravel()
        values_items = _vect(given_flat)
        values = cp.array(values_items).reshape(given.shape)
    else:
        values = cp.asarray(np.vectorize(lambda t: t + 1)(cp.asnumpy(given)))
    return values
