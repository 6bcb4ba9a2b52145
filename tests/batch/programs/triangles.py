"""The same places of each item: what `triu_indices` and their like name."""

import numpy as np


def logarithm(c):
    w, v = np.linalg.eigh(c)
    return (v * np.log(w)) @ v.T


def tangents(covariances: np.ndarray, reference: np.ndarray):
    n = reference.shape[0]
    upper = np.triu_indices(n)
    scale = (np.sqrt(2) * np.triu(np.ones((n, n)), 1) + np.eye(n))[upper]
    out = np.empty((len(covariances), n * (n + 1) // 2))
    for i in range(len(covariances)):
        s = logarithm(reference @ covariances[i] @ reference)
        out[i] = scale * s[upper]
    return out


def halves(covariances: np.ndarray):
    below = np.tril_indices(covariances.shape[1], -1)
    found = []
    for c in covariances:
        p = np.linalg.inv(c)
        d = np.sqrt(np.diag(p))
        found.append((-p / np.outer(d, d))[below])
    return np.array(found)


def chosen(covariances: np.ndarray, keep: np.ndarray):
    where = np.nonzero(keep)
    return [np.linalg.inv(c)[where] for c in covariances]


def changed(covariances: np.ndarray):
    places = np.triu_indices(3)
    found = []
    for c in covariances:
        found.append(np.linalg.inv(c)[places])
        places = np.tril_indices(3)
    return found


def _made(count, dtype=float):
    a = np.random.default_rng(0).normal(size=(count, 3, 3))
    return (a @ a.transpose(0, 2, 1) + np.eye(3)).astype(dtype)


CASES = {
    "tangents": lambda: (_made(4), np.eye(3)),
    "tangents-none": lambda: (_made(0), np.eye(3)),
    "tangents-list": lambda: (list(_made(4)), np.eye(3)),
    "tangents-other_size": lambda: (_made(4), np.eye(3)[:2]),
    "halves": lambda: (_made(4),),
    "halves-single": lambda: (_made(4, "f"),),
    "halves-none": lambda: (_made(0),),
    "chosen": lambda: (_made(4), np.eye(3) > 0),
    "chosen-nothing": lambda: (_made(4), np.eye(3) > 2),
    "chosen-rows": lambda: (_made(4), np.ones(3)),
    "changed": lambda: (_made(4),),
}
