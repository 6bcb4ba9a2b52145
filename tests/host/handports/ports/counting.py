"""Counting with repeated indices: atomics."""

import sys

import cupy as cp
import numpy as np

_HISTOGRAM = cp.ElementwiseKernel(
    "float64 x, float64 lo, float64 hi, int64 bins, float64 width",
    "raw int64 h",
    """
    if (x >= lo && x < hi) {
        long long k = (long long)((x - lo) / width);
        if (k == bins) { k = bins - 1; }
        atomicAdd((unsigned long long *)&h[k], 1ULL);
    }
    """,
    "histogram",
)


def histogram(x, lo, hi, bins):
    h = cp.zeros(bins, dtype=np.int64)
    _HISTOGRAM(x, lo, hi, bins, (hi - lo) / bins, h)
    return h


def weighted_histogram(labels, weights, bins):
    total = cp.zeros(bins)
    cp.add.at(total, labels, weights)
    return total


def joint_counts(a, b, na, nb):
    table = cp.zeros((na, nb), dtype=np.int32)
    cp.add.at(table, (a, b), 1)
    return table


def main(path):
    rng = np.random.default_rng(37)
    x = cp.asarray(rng.normal(size=10000))
    host_labels = rng.integers(0, 9, size=10000)
    labels = cp.asarray(host_labels)
    other = cp.asarray((host_labels + rng.integers(0, 3, size=10000)) % 5)
    w = cp.asarray(rng.random(10000))
    found = {
        "hist": histogram(x, -2.0, 2.0, 32),
        "total": weighted_histogram(labels, w, 9),
        "table": joint_counts(labels, other, 9, 5),
        "flat": weighted_histogram(labels, w * w, 9),
    }
    np.savez(path, **{name: cp.asnumpy(values) for name, values in found.items()})


if __name__ == "__main__":
    main(sys.argv[1])
