"""Extremes that begin with None, and those of which the last of equals counts, beside NaN."""

import numpy as np


def nearest(points, centers):
    labels = np.zeros(len(points), dtype=int)
    for i in range(len(points)):
        best = None
        for k in range(len(centers)):
            d = np.sum((points[i] - centers[k]) ** 2)
            if best is None or d < best:
                best = d
                labels[i] = k
    return labels


def strongest(x, y, used):
    out = np.zeros(len(x))
    for i in range(len(x)):
        best = None
        for j in range(len(y)):
            if not used[j]:
                continue
            if best is None or y[j] * x[i] > best:
                best = y[j] * x[i]
        if best is not None:
            out[i] = best
        else:
            out[i] = -1.0
    return out


def cheapest(cost):
    best = None
    at = -1
    for i in range(len(cost)):
        if best is None or cost[i] < best:
            best, at = cost[i], i
    return best, at


def deepest(field):
    low, where = None, None
    for i in range(field.shape[0]):
        for j in range(field.shape[1]):
            if low is None or field[i, j] <= low:
                low, where = field[i, j], (i, j)
    return low, where


def lowest(field, limit):
    p = q = -1
    for i in range(field.shape[0]):
        for j in range(field.shape[1]):
            if field[i, j] <= limit:
                limit, p, q = field[i, j], i, j
    return limit, p, q


if __name__ == "__main__":
    rng = np.random.default_rng(4)
    print(nearest(rng.normal(size=(9, 3)), rng.normal(size=(4, 3))))
    x, y = np.round(rng.normal(size=7), 1), np.round(rng.normal(size=6), 1)
    print(strongest(x, y, y > 0), strongest(x, y, y > 9), cheapest(x), cheapest(x[::-1]))
    a = np.round(rng.normal(size=(5, 6)), 1)
    print(deepest(a), lowest(a, 0.5), lowest(a, -9.0))
    a[1, 2] = a[4, 0] = y[0] = np.nan
    print(strongest(x, y, y == y), strongest(x, y, y != 9), cheapest(y), cheapest(y[1:]))
    print(deepest(a), lowest(a, 0.5), lowest(a, np.inf), lowest(a * np.nan, 3.0))
    a[0, 0] = np.nan
    print(deepest(a), lowest(a, 0.5), cheapest(np.full(3, np.inf)))
