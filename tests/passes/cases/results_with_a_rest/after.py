"""The first results of a function, and a rest that nothing reads."""

import cupy as cp
import numpy as np
from gpuport.runtime import batched, device


@device("matrix", "values", require=("matrix", "values"))
def fit(matrix, values):
    coefficients, *_ = cp.linalg.lstsq(matrix, values, rcond=None)
    return matrix @ coefficients - values


@device("matrix", "values", require=("matrix", "values"))
def line(matrix, values):
    (slope, offset), *_ = cp.linalg.lstsq(matrix, values, rcond=None)
    return slope * matrix[:, 0] + offset


@device("a")
def outer(a):
    u, *_, v = cp.linalg.svd(a)
    return cp.abs(u) + cp.abs(v)


@batched.loop(sums="total")
def _several_loop(stack, total):
    for k in range(len(stack)):
        [*rest, v] = np.linalg.svd(stack[k])
        total += np.abs(v).sum(axis=0)
    return total


@device("stack", matrices="stack")
def several(stack):
    total = cp.zeros(stack.shape[1])
    total = _several_loop(stack, total)
    return total


def rest_is_read(a):
    u, *rest = np.linalg.svd(a)
    return np.abs(u) + np.abs(rest[1])


def rest_is_read_later(a):
    u, *rest = np.linalg.svd(a)
    return np.abs(u), lambda: rest[0]


def rows_of_an_array(a):
    first, *_ = np.sqrt(a)
    return first * 2.0


def too_few(a):
    q, r, s, *_ = np.linalg.qr(a)
    return q
