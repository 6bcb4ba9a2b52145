"""Tracks of several particles."""

import numpy as np

import filters


def walks(n, steps, seed):
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.normal(size=(n, steps)), axis=1)


def spread(paths):
    centred = paths - paths.mean(axis=0)
    return np.sqrt((centred**2).sum(axis=0))


def roughness(path):
    soft = filters.smoothed(path, 0.6)
    return np.sum((path - soft) ** 2)
