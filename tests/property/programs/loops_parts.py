"""Reductions of parts of arrays in loops: of truth values, and where the ends cut parts off."""

import sys

import numpy as np


def eroded(mask):
    h, w = mask.shape
    out = np.zeros(mask.shape, dtype=bool)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = np.all(mask[i - 1 : i + 2, j - 1 : j + 2])
    return out


def grown(mask):
    h, w = mask.shape
    out = np.zeros(mask.shape, dtype=bool)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            if mask[i - 1 : i + 2, j - 1 : j + 2].any():
                out[i, j] = True
    return out


def counted(mask):
    h, w = mask.shape
    out = np.zeros(mask.shape, dtype=int)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = np.sum(mask[i - 1 : i + 2, j - 1 : j + 2]) - mask[i, j]
    return out


def above(x, limit):
    n = len(x)
    out = np.zeros(n)
    for i in range(2, n - 2):
        out[i] = np.sum(x[i - 2 : i + 3] > limit)
    return out


def share(x, limit):
    n = len(x)
    out = np.zeros(n)
    for i in range(2, n - 2):
        out[i] = np.mean(x[i - 2 : i + 3] > limit) + np.any(x[i - 2 : i] > limit)
    return out


def bright(image):
    h, w = image.shape
    out = np.zeros((h, w), dtype=np.int64)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = image[i - 1 : i + 2, j - 1 : j + 2].sum()
    return out


def dilated(image):
    h, w = image.shape
    out = np.zeros_like(image)
    for i in range(h):
        for j in range(w):
            out[i, j] = image[max(0, i - 1) : i + 2, max(0, j - 1) : j + 2].max()
    return out


def smoothed(x, r):
    n = len(x)
    out = np.empty(n)
    for i in range(n):
        lo = max(0, i - r)
        hi = min(n, i + r + 1)
        out[i] = np.mean(x[lo:hi])
    return out


def trailing(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[max(i - r, 0) : i + 1].sum() / r
    return out


def around_the_end(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(x[i - r : i + 1])
    return out


def least(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.min(x[max(i - r, 0) : i])
    return out


def segments(x, start, stop):
    out = np.zeros(len(start))
    for k in range(len(start)):
        a, b = start[k], stop[k]
        out[k] = np.sum(x[a:b])
    return out


def spread(x, start):
    out = np.zeros(len(start) - 1)
    for k in range(len(start) - 1):
        out[k] = x[start[k] : start[k + 1]].max()
    return out


rng = np.random.default_rng(0)
mask = rng.random((9, 11)) > 0.2
x = rng.normal(size=23)
image = rng.integers(100, 256, (8, 9)).astype(np.uint8)
start = np.array([0, 3, 5, 5, 20])
stop = np.array([2, 3, 4, 23, 40])
results = {
    "eroded": eroded(mask),
    "grown": grown(~mask),
    "counted": counted(mask),
    "above": above(x, 0.3),
    "share": share(x, 0.3),
    "bright": bright(image),
    "dilated": dilated(image),
    "smoothed": smoothed(x, 3),
    "smoothed_float32": smoothed(x.astype(np.float32), 3),
    "trailing": trailing(x, 4),
    "around": around_the_end(x, 3),
    "segments": segments(x, start, stop),
    "backwards": segments(x, start - 3, stop - 4),
    "spread": spread(x, np.array([0, 3, 5, 9, 20])),
}
for function, arguments in ((least, (x, 3)), (spread, (x, start))):
    try:
        results[function.__name__ + "_"] = function(*arguments)
    except ValueError as error:
        print(type(error).__name__)
np.savez(sys.argv[1], **results)
