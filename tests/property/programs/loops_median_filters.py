"""Median filters by hand: windows, patches, what is cut off at an end, NaN and infinities."""

import numpy as np


def moving(x, w):
    out = np.empty(len(x) - w + 1)
    for i in range(len(x) - w + 1):
        out[i] = np.median(x[i : i + w])
    return out


def despeckled(img):
    out = img.copy()
    h, w = img.shape
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = np.median(img[i - 1 : i + 2, j - 1 : j + 2])
    return out


def hampel(x, r, t):
    out = x.copy()
    for i in range(len(x)):
        window = x[max(0, i - r) : i + r + 1]
        m = np.median(window)
        spread = np.median(np.abs(window - m))
        if abs(x[i] - m) > t * spread:
            out[i] = m
    return out


def rows(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = np.median(a[i])
    return out


def looked_up(xp, fp, x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        k = min(max(np.searchsorted(xp, x[i]) - 1, 0), len(xp) - 2)
        t = (x[i] - xp[k]) / (xp[k + 1] - xp[k])
        out[i] = fp[k] * (1 - t) + fp[k + 1] * t
    return out


if __name__ == "__main__":
    np.seterr(all="ignore")
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    for w in (1, 2, 5):
        print(moving(x, w))
    table = np.linspace(-3.0, 3.0, 9)
    print(looked_up(table, table**2, x))
    x[7], x[20], x[21], x[30:33] = np.nan, np.inf, -np.inf, 1.7e308
    print(moving(x, 4), moving(x[::-2], 3), hampel(x, 3, 1.5))
    a = rng.normal(size=(7, 9)) * 5
    print(despeckled(a), despeckled(a[::-1, ::2]))
    print(rows(a), rows(np.round(a).astype(np.int32)), rows(a.T), rows(a[:0]))
