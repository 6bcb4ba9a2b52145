import sys

import numpy as np


def cleared(x, weights):
    y = np.exp(x) + np.sqrt(x)
    taken = []
    for key in weights:
        v = y[key]
        y[key] = 0.0
        taken.append(v * weights[key])
    return np.array(taken), y * np.sin(y)


def least(x, weights):
    y = np.exp(x) + np.sqrt(x)
    at = min(weights, key=weights.get)
    v = y[at]
    y[at] = 0.0
    first = max((0, 2), (1, 1))
    w = y[first]
    y[first] = -1.0
    return v, w, y * np.sin(y)


def by_division(n, k):
    y = np.exp(np.ones((n, n))) + np.sqrt(np.ones((n, n)))
    at = divmod(k, n)
    v = y[at]
    y[at] = 0.0
    for j in range(n):
        place = divmod(j * (n + 1), n)
        w = y[place]
        y[place] = w + v
    return v, y * np.sin(y)


m = np.linspace(0.1, 2.5, 20).reshape(4, 5)
weights = {(0, 1): 2.0, (2, 3): 1.5, (3, 0): 4.0}
r = [*cleared(m, weights), *least(m, weights), *by_division(3, 4)]
np.savez(sys.argv[1], *r)
