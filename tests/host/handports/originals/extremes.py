"""Extremes with defined tie-breaking."""

import sys

import numpy as np


def first_peak(x):
    """Position and height of the highest sample; the first one when tied."""
    best = 0
    top = x[0]
    for i in range(1, len(x)):
        if x[i] > top:
            top = x[i]
            best = i
    return best, top


def last_trough(x):
    """Position and depth of the lowest sample; the last one when tied."""
    best = 0
    low = x[0]
    for i in range(1, len(x)):
        if x[i] <= low:
            low = x[i]
            best = i
    return best, low


def extent(x):
    """Smallest and largest value in one pass."""
    lo = np.inf
    hi = -np.inf
    for v in x:
        lo = min(lo, v)
        hi = max(hi, v)
    return lo, hi


def nearest(points, queries):
    """For each query the closest point (first when tied) and its squared distance."""
    index = np.zeros(len(queries), dtype=np.int64)
    dist = np.zeros(len(queries))
    for q in range(len(queries)):
        best = np.inf
        for p in range(len(points)):
            dx = points[p, 0] - queries[q, 0]
            dy = points[p, 1] - queries[q, 1]
            d = dx * dx + dy * dy
            if d < best:
                best = d
                index[q] = p
        dist[q] = best
    return index, dist


def main(path):
    rng = np.random.default_rng(42)
    x = np.round(rng.normal(size=9000), 1)
    points = rng.integers(0, 12, size=(60, 2)).astype(float)
    queries = rng.integers(0, 24, size=(300, 2)) / 2.0
    peak, height = first_peak(x)
    trough, depth = last_trough(x)
    lo, hi = extent(x)
    index, dist = nearest(points, queries)
    np.savez(
        path,
        peak=peak,
        height=height,
        trough=trough,
        depth=depth,
        lo=lo,
        hi=hi,
        index=index,
        dist=dist,
    )


if __name__ == "__main__":
    main(sys.argv[1])
