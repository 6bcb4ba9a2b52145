"""Greatest and least by hand, with where they stand: ties, NaN, two dimensions, other types."""

import sys

import numpy as np


def strongest(x):
    w = 0
    for i in range(1, len(x)):
        if abs(x[i]) > abs(x[w]):
            w = i
    return w


def latest_low(x):
    w = 0
    for i in range(len(x)):
        if x[i] <= x[w]:
            w = i
    return w


def peak(image):
    best = -1
    where = None
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] > best:
                best = image[i, j]
                where = (i, j)
    return best, where


def pair(a):
    p, q, most = 0, 1, abs(a[0, 1])
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            if abs(a[i, j]) > most:
                most, p, q = abs(a[i, j]), i, j
    return p, q, most


def span(x):
    low = high = x[0]
    at = 0
    for i, v in enumerate(x):
        if v < low:
            low = v
            at = i
        elif v > high:
            high = v
    return low, high, at


def crossing(x, level):
    last, height = -1, 0.0
    for i in range(1, len(x)):
        if x[i - 1] < level <= x[i]:
            last = i
            height = x[i] - level
    return last, height


def brightest(counts, mask):
    best, at = -np.inf, -1
    for i in range(len(counts)):
        if mask[i] and counts[i] > best:
            best, at = counts[i], i
    return best, at


def main(target):
    rng = np.random.default_rng(5)
    x = rng.integers(-9, 9, 400) / 2
    holes = x.copy()
    holes[::7] = np.nan
    image = rng.integers(0, 200, (30, 40)).astype(np.uint8)
    counts = rng.integers(0, 9, 400)
    out = {}
    for k, v in enumerate((x, holes, x.astype(np.float32), counts)):
        out[f"strongest{k}"] = np.array(strongest(v))
        out[f"low{k}"] = np.array(latest_low(v))
        out[f"span{k}"] = np.array(span(v))
        out[f"crossing{k}"] = np.array(crossing(v, 2))
    for k, pixels in enumerate((image, image * 0, image[:, :1])):
        best, where = peak(pixels)
        print(type(best).__name__, where)
        out[f"peak{k}"] = np.array(best)
    out["pair"] = np.array(pair(rng.standard_normal((25, 25))))
    for k, mask in enumerate((x > 0, x > 99)):
        best, at = brightest(counts, mask)
        print(type(best).__name__, at)
        out[f"bright{k}"] = np.array(best)
    print(crossing(x, 99))
    np.savez(target, **out)


if __name__ == "__main__":
    main(sys.argv[1])
