"""Parameters of which one is an array and the others may be numbers, told by masks and operators."""

import sys

import numpy as np


def weighted(x, w=None):
    w = np.ones_like(x) if w is None else w
    return (x * w).sum() / w.sum()


def relaxed(a, b, m=None):
    minv = 1 / np.diagonal(a) if m is None else m
    z = minv * b
    for _ in range(5):
        z = z + minv * (b - a @ z) * 0.5
    return z


def chosen(x, y, keep=None):
    if keep is None:
        keep = np.argsort(y)
    return x[keep] + 1.0, np.sqrt(y[keep])


def masked(x, y):
    low = x[x > 0.5]
    return np.sqrt(low).sum(), y[~(x > 0.5)].mean() if (x > 0.5).any() else 0.0


def side(pair, x):
    return pair[x > 0]


def binned(x, h):
    k = (x / h).astype(int)
    out = np.zeros(k.max() + 1)
    np.add.at(out, k, 1.0)
    return out


def counted(x, h, w=None):
    k = np.floor(x / h).astype(np.int64)
    return np.bincount(k, weights=w if w is not None else np.ones(len(k)))


def decay(x, h):
    y = np.exp(-x / h)
    y *= 2.0
    y += np.sqrt(x)
    return y


def differences(t, s):
    return (t - s)[:, None] * (t - s)[None, :]


def either(x, h, flag):
    y = x if flag else h
    z = np.cos(y)
    z -= 1.0
    return z


def tried(function, *arguments):
    try:
        return function(*arguments)
    except (AttributeError, TypeError, IndexError) as error:
        return type(error).__name__


def main(path):
    rng = np.random.default_rng(0)
    a = rng.random((6, 6)) + 6 * np.eye(6)
    b = rng.random(6)
    results = {
        "w1": weighted(b), "w2": weighted(b, 2.0 * b),
        "p1": relaxed(a, b), "p2": relaxed(a, b, 0.1), "p3": relaxed(a, b, m=1 / np.diag(a)),
        "p4": relaxed(a, np.float32(2)),
        "s1": chosen(a, b)[0], "s2": chosen(a, b, [0, 2])[0], "s3": chosen(a, b, slice(1, 3))[1],
        "s4": chosen(a, b, 2)[0],
        "m1": masked(b, b * 2)[0], "m2": masked(b, b * 2)[1],
        "b1": binned(b, 0.1), "b2": binned(np.array([1.0]), np.array([0.2])),
        "b3": binned(2.0, np.array([0.5, 0.25])),
        "c1": counted(b, 0.1), "c2": counted(b, 0.1, b), "c3": counted(b, b + 0.5),
        "d1": decay(b, 0.5), "d2": decay(0.5, b), "d3": decay(b, b), "d4": decay(1.5, 0.5),
        "y1": differences(b, 1.0), "y2": differences(2.0, b), "y3": differences(np.empty(0), 1),
        "e1": either(b, 0.5, True), "e2": either(b, 0.5, False), "e3": either(0.5, b, False),
    }  # fmt: skip
    print(side(("negative", "positive"), 3), side({True: "yes"}, 2))
    print(tried(weighted, b, 3), tried(masked, [1.0], b), tried(binned, 0.5, 0.1))
    masked_array = np.ma.masked_greater(b, 0.7)
    print(weighted(masked_array), np.ma.isMaskedArray(differences(masked_array, 1.0)))
    np.savez(path, **results)


if __name__ == "__main__":
    main(sys.argv[1])
