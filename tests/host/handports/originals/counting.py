"""Counting with repeated indices."""

import sys

import numpy as np


def histogram(x, lo, hi, bins):
    """Fixed-width counts; values outside are dropped."""
    h = np.zeros(bins, dtype=np.int64)
    width = (hi - lo) / bins
    for i in range(len(x)):
        if x[i] >= lo and x[i] < hi:
            k = int((x[i] - lo) / width)
            if k == bins:
                k = bins - 1
            h[k] += 1
    return h


def weighted_histogram(labels, weights, bins):
    """Sum of the weights in every class."""
    total = np.zeros(bins)
    for lab, w in zip(labels, weights, strict=True):
        total[lab] += w
    return total


def joint_counts(a, b, na, nb):
    """Contingency table of two label arrays."""
    table = np.zeros((na, nb), dtype=np.int32)
    for i in range(a.shape[0]):
        table[a[i], b[i]] += 1
    return table


def main(path):
    rng = np.random.default_rng(37)
    x = rng.normal(size=10000)
    labels = rng.integers(0, 9, size=10000)
    other = (labels + rng.integers(0, 3, size=10000)) % 5
    w = rng.random(10000)
    flat = np.zeros(9)
    np.add.at(flat, labels, w * w)
    np.savez(
        path,
        hist=histogram(x, -2.0, 2.0, 32),
        total=weighted_histogram(labels, w, 9),
        table=joint_counts(labels, other, 9, 5),
        flat=flat,
    )


if __name__ == "__main__":
    main(sys.argv[1])
