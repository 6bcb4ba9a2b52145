"""The first results of a function, and a rest that nothing reads."""

import numpy as np


def fit(matrix, values):
    coefficients, *_ = np.linalg.lstsq(matrix, values, rcond=None)
    return matrix @ coefficients - values


def line(matrix, values):
    (slope, offset), *_ = np.linalg.lstsq(matrix, values, rcond=None)
    return slope * matrix[:, 0] + offset


def outer(a):
    u, *_, v = np.linalg.svd(a)
    return np.abs(u) + np.abs(v)


def several(stack):
    total = np.zeros(stack.shape[1])
    for k in range(len(stack)):
        [*rest, v] = np.linalg.svd(stack[k])
        total += np.abs(v).sum(axis=0)
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
