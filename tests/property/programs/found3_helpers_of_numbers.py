import sys

import numpy as np


def basis(k, gamma):
    out = np.zeros((k, k))
    p, q = np.meshgrid(np.arange(k), np.arange(k), indexing="ij")
    mask = (q - p) % 2 == 0
    out[mask] = np.cos(p[mask] * gamma)
    return out


def project(x, gamma, k):
    t = np.exp(x / gamma)[:, None] * np.ones((len(x), k))
    return np.dot(t, basis(k, gamma))


def coefficients(k, gamma):
    return np.cos(np.arange(k) * gamma)


def project_twice(x, gamma, k=3):
    if gamma == 0:
        t = np.ones((len(x), k))
    else:
        t = np.outer(np.exp(x / gamma), np.arange(k))
    return t @ coefficients(k, gamma)


def inside(data, lo, hi):
    return np.where((data > lo) & (data < hi), np.log(data), 0.0)


def distance(h, data, x):
    data = data.reshape(data.size)
    return np.exp(h * abs(data - x))


def window(taus, c):
    m = np.arange(len(taus)) < c * taus
    return int(np.argmin(m)) if np.any(m) else len(taus) - 1


names = {f.__name__: f for f in (project, project_twice, inside, distance, window)}
a = np.array([0.1, 0.2, 0.5, 0.3])
out = {
    "project": names["project"](a, 0.5, 3),
    "single": names["project"](a.astype("float32"), 0.5, 3),
    "twice": names["project_twice"](a, 0.5),
    "none": names["project_twice"](a, 0),
    "inside": names["inside"](a, 0.15, 0.4),
    "arrays": names["inside"](a, a * 0.9, 1.0),
    "lists": names["inside"](a, [0.1, 0.0, 0.3, 0.1], 1.0),
    "distance": names["distance"](0.3, a, a[::-1]),
    "window": names["window"](a * 5, 2.0),
}
np.savez(sys.argv[1], **out)
