"""Parts of arrays of any rank, under names that are read before, while and after they change."""

import sys

import numpy as np


def late(u):
    u = np.exp(-u)
    h = u[0]
    u[0] = 7.0
    return np.sin(h) * 0.5, u


def in_place(u):
    u = np.exp(-u)
    h = u[1]
    u *= h + 1
    u += h
    return u


def added(u):
    u = np.exp(-u)
    h = u[0]
    u[:] += h
    return np.sin(u)


def after_a_call(u):
    u = np.exp(-u)
    h = u[0]
    grow(u)
    return np.exp(-h)


def grow(u):
    u += 0.25 * np.cos(u)


def nested(u):
    u = np.exp(-u)
    total = 0.0
    for k in range(3):
        h = u[k]
        for j in range(2):
            total = total + np.exp(h * h)
            u[k] = total - j
    return total, u


def handed(u):
    u = np.exp(-u)
    h = u[1]
    other = h
    u *= 2
    return np.sin(other) + 1


def one_line(u):
    u = np.exp(-u)
    h = u[2]; u[2] = 5.0; return np.exp(h), u  # noqa: E702


def returned(u):
    u = np.exp(-u)
    h = u[0]
    pair = [np.sin(u), h]
    u += 1.0
    return pair


def lazily(u):
    u = np.exp(-u)
    h = u[0]
    later = lambda: np.sin(h + 1)  # noqa: E731
    u[0] = 3.0
    return later(), u


def waiting(u):
    u = np.exp(-u)
    h = u[0]
    parts = (np.sin(h + k) for k in range(3))
    u[0] = 3.0
    return list(parts)


def left_over(u):
    u = np.exp(-u)
    for k in range(3):
        if k:
            u[0] = np.sin(h) + k  # noqa: F821
        h = u[0]
        u[1] = h + 1
    return u


out = []
for u in (np.arange(5.0), np.arange(12.0).reshape(4, 3)):
    for function in (late, in_place, added, after_a_call, nested, handed, one_line, returned,
                     lazily, waiting, left_over):  # fmt: skip
        found = function(u)
        out += [np.asarray(one) for one in (found if isinstance(found, (tuple, list)) else [found])]
np.savez(sys.argv[1], *out)
