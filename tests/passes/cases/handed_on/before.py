"""What a function of the module takes for an array is one where it is handed on."""

import numpy as np


def rows(image, taps):
    reach = len(taps) // 2
    padded = np.pad(image, ((0, 0), (reach, reach)), mode="reflect")
    out = np.zeros_like(image)
    for k, tap in enumerate(taps):
        out += tap * padded[:, k:k + image.shape[1]]
    return out


def weights(sigma):
    taps = np.exp(-0.5 * (np.arange(-3, 4) / sigma) ** 2)
    return taps / taps.sum()


def both(image, sigma):
    taps = weights(sigma)
    return rows(rows(image, taps).T, taps).T


def band(image, narrow, wide):
    return np.maximum(both(image, narrow) - both(image, wide), 0.0)


def number(x, n):
    return scaled(x, n)


def scaled(x, n):
    return x * n


def shadowed(image, rows):
    return rows(image)
