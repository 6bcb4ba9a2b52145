"""Arrays that are read in loops and then given to code that may write to them."""
import sys

import numpy as np


def double(a, *rest):
    a *= 2.0
    return a.sum()


ACTIONS = {"double": double, "halve": lambda a, *rest: np.divide(a, 2.0, out=a)}


def before(G, n, name):
    m = np.zeros(G.shape[1])
    for _ in range(n):
        r = 1.0 - G @ m
        m += 0.01 * np.tanh(G.T @ r)
    ACTIONS[name](G, n)
    return m


def around(G, n, name):
    m = np.zeros(G.shape[1])
    for k in range(n):
        m += 0.01 * np.tanh(G.T @ (1.0 - G @ m))
        if k == 2:
            ACTIONS[name](G, k)
    return m


def behind(G, n, name):
    m = np.ones(G.shape[1])
    ACTIONS[name](G, n)
    for _ in range(n):
        m = np.tanh(G.T @ (G @ m)) * 0.5
    return m


def both(G, n, name):
    m = np.ones(G.shape[1])
    for _ in range(n):
        m = np.tanh(G.T @ (G @ m)) * 0.5
    ACTIONS[name](G, n)
    for _ in range(n):
        m = m + np.exp(-np.abs(G.T @ (G @ m)))
    return m


def renamed(G, n, name):
    H = G
    m = np.ones(G.shape[1])
    ACTIONS[name](H, n)
    for _ in range(n):
        m = np.tanh(G.T @ (G @ m)) * 0.5
    ACTIONS[name](G, n)
    return m


found = {}
for function in (before, around, behind, both, renamed):
    for name in ACTIONS:
        G = np.linspace(-1.0, 1.0, 24).reshape(6, 4) ** 2
        key = f"{function.__name__}_{name}"
        found[key] = function(G, 5, name)
        found[key + "_G"] = G
        print(key, found[key].sum().round(9), G.sum().round(9))
np.savez(sys.argv[1], **found)
