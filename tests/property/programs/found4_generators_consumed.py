import sys

import numpy as np


def life(grid, steps):
    g = grid.copy()
    for _ in range(steps):
        n = sum(
            np.roll(np.roll(g, i, 0), j, 1)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0)
        )
        g = ((n == 3) | ((g == 1) & (n == 2))).astype(g.dtype)
    return g


def ising(s, beta, u):
    nb = sum(np.roll(s, sh, ax) for sh in (1, -1) for ax in (0, 1))
    return np.where(u < np.exp(-2 * beta * s * nb), -s, s)


def mixture(x, weights, means):
    return sum(w * np.exp(-((x - m) ** 2)) for w, m in zip(weights, means))


def several(x):
    parts = tuple(np.sin(k * x) for k in range(1, 4))
    top = max(p.max() for p in parts)
    low = min(float(p.min()) for p in parts)
    big = any(p.mean() > 0.4 for p in parts)
    fine = all(np.isfinite(p).all() for p in parts)
    first = sorted((p.sum() for p in parts), reverse=True)[1]
    halves = tuple(p[: len(p) // 2] for p in parts)
    nested = sum(sum(p * q for p in parts) for q in parts)
    total = sum((p for p in parts), np.zeros_like(x))
    empty = sum(p for p in parts if p.max() > 99)
    return (
        np.stack(parts),
        top,
        low,
        big,
        fine,
        first,
        np.concatenate(halves),
        nested,
        total,
        empty,
    )


def later(x):
    y = np.exp(x)
    lazy = (y * k for k in range(3))
    y = y * 2
    return next(lazy), list(lazy)[-1], y


def devices(x):
    parts = [np.sin(k * x) for k in range(1, 4)]
    nested = sum(sum(p * q for p in parts) for q in parts)
    peaks = tuple(p.max() for p in parts)
    ok = all(np.isfinite(p).all() for p in parts)
    some = any((p > 0.99).any() for p in parts)
    return nested * 2, peaks, ok, some, np.stack(tuple(p**2 for p in parts))


def running(x):
    s = 0.0
    acc = [s := s + v for v in x[:4]]
    total = sum(v * v for v in x)
    w = sum(x[i] * x[i + 1] for i in range(len(x) - 1))
    return acc, total, w


if __name__ == "__main__":
    rng = np.random.default_rng(4)
    g = (rng.random((12, 12)) < 0.4).astype(np.uint8)
    s = np.where(rng.random((8, 8)) < 0.5, 1, -1)
    x = np.linspace(0, 1, 9)
    out = several(x.copy()) + later(x) + devices(x)[:1] + devices(x)[1] + devices(x)[2:]
    print([type(v).__name__ for v in out], [type(v).__name__ for v in running(x)[1:]])
    acc, total, w = running(x)
    np.savez(
        sys.argv[1],
        g=life(g, 4),
        i=ising(s, 0.4, rng.random((8, 8))),
        m=mixture(x, [0.2, 0.8], [0.0, 1.0]),
        acc=acc,
        tw=[total, w],
        **{f"o{k}": v for k, v in enumerate(out)},
    )
