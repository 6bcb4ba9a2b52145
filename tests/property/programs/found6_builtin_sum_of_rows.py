import sys

import numpy as np


def spread(points, noise):
    count, n = points.shape
    mean = sum(points, 0)[:, None] / count
    around = np.zeros((n, n))
    flat = mean.flatten()
    for k in range(count):
        around += np.outer(points[k], points[k]) - np.outer(flat, flat)
    return mean, around / count + noise


def shares(weights: np.ndarray):
    grown = np.exp(weights)
    return np.sqrt(grown / sum(grown)) + np.sin(grown)


def line(weights):
    return np.exp(sum(weights)) * np.cos(weights) + weights.mean()


rng = np.random.default_rng(3)
mean, around = spread(rng.normal(size=(8, 3)), np.eye(3))
one, two = shares(rng.random(5)), shares(rng.random((4, 3)))
three, four = line(rng.random(5)), line(rng.random((4, 3)))
np.savez(sys.argv[1], mean=mean, around=around, one=one, two=two, three=three, four=four)
