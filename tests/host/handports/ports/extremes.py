"""Extremes with ties: argmax of the series, and of it reversed; a thread a query."""

import sys

import cupy as cp
import numpy as np

_NEAREST = cp.ElementwiseKernel(
    "raw float64 points, raw float64 queries, int64 count",
    "int64 index, float64 dist",
    """
    double best = CUDART_INF;
    index = 0;
    for (long long p = 0; p < count; ++p) {
        const double dx = points[2 * p] - queries[2 * i];
        const double dy = points[2 * p + 1] - queries[2 * i + 1];
        const double d = dx * dx + dy * dy;
        if (d < best) { best = d; index = p; }
    }
    dist = best;
    """,
    "nearest",
    preamble="#include <math_constants.h>",
)


def first_peak(x):
    best = int(x.argmax())
    return best, cp.asnumpy(x[best])[()]


def last_trough(x):
    best = x.size - 1 - int(x[::-1].argmin())
    return best, cp.asnumpy(x[best])[()]


def extent(x):
    lo, hi = cp.asnumpy(cp.stack([x.min(), x.max()]))
    return lo, hi


def nearest(points, queries):
    index = cp.empty(len(queries), dtype=np.int64)
    dist = cp.empty(len(queries))
    return _NEAREST(points, queries, len(points), index, dist)


def main(path):
    rng = np.random.default_rng(42)
    x = cp.asarray(np.round(rng.normal(size=9000), 1))
    points = cp.asarray(rng.integers(0, 12, size=(60, 2)).astype(float))
    queries = cp.asarray(rng.integers(0, 24, size=(300, 2)) / 2.0)
    peak, height = first_peak(x)
    trough, depth = last_trough(x)
    lo, hi = extent(x)
    index, dist = nearest(points, queries)
    np.savez(
        path, peak=peak, height=height, trough=trough, depth=depth, lo=lo, hi=hi,
        index=cp.asnumpy(index), dist=cp.asnumpy(dist),
    )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1])
