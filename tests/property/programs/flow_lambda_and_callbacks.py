import sys

import numpy as np

import functools


def apply(g, a):
    return g(np.sin(a)) + a


def compose(*functions):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), functions)


def integrate(rhs, y, steps):
    for k in range(steps):
        y = y + 0.1 * rhs(k * 0.1, y)
    return y


def rhs(t, y):
    return np.array([y[1], -y[0]]) * np.cos(t)


np.savez(
    sys.argv[1],
    apply(lambda v: v * 2, np.arange(3.0)),
    apply(np.cos, np.arange(3.0)),
    compose(np.sin, np.exp)(np.arange(3.0)),
    integrate(rhs, np.array([1.0, 0.0]), 5),
    np.array(list(map(np.sqrt, [1.0, 4.0]))),
)
