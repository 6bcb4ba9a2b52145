"""Optional numbers that are computed where they are not given."""
import math
import sys
import numpy as np


def a(x: np.ndarray, bw=None):
    if bw is None:
        bw = 1.06 * x.std() * x.size ** -0.2
    u = (x[:, None] - x[None, :]) / bw
    return np.exp(-u * u).sum(axis=1) / (x.size * bw)


def b(x: np.ndarray, bw: float | None = None):
    h = bw if bw is not None else x.max()
    y = np.exp(-x / h)
    print(f"{h:.4f}", math.sqrt(h) > 0, "big" if h > 0.5 else "small")
    return y * math.exp(h), h


def c(x: np.ndarray, mode=None):
    if mode is None:
        mode = "soft"
    if mode == "soft":
        return np.sign(x) * np.maximum(np.abs(x) - 0.5, 0)
    return np.where(np.abs(x) > 0.5, x, 0.0)


def d(x: np.ndarray, n=None):
    if n is None:
        n = int(x.sum())
    out = []
    for k in range(n):
        out.append(np.sin(x * k) + np.cos(x))
    return np.array(out)


def e(x: np.ndarray, lo=None, hi=None):
    lo = x.min() if lo is None else lo
    hi = x.max() if hi is None else hi
    y = (x - lo) / (hi - lo)
    return np.clip(y, 0, 1) ** 2, [lo, hi], max(lo, 0.25)


def f(x: np.ndarray, w=None):
    if w is None:
        w = np.ones_like(x)
    return np.sum(w * np.sin(x) * x) / w.sum()


def g(x: np.ndarray, centre=None):
    if centre is None:
        centre = x.mean()
    r = np.abs(x - centre)
    r[r > 2 * centre] = centre
    return np.sqrt(r) * np.exp(-r), {"centre": centre}


def h(x, tol=None, scale=None):
    tol = tol or 1e-3
    scale = scale or x.std()
    k = 0
    while np.abs(x).max() > tol and k < 5:
        x = x * 0.1 / scale
        k += 1
    return x, k


def main(out):
    x = np.linspace(0.1, 1.0, 12)
    res = {}
    for i, v in enumerate((a(x), a(x, 0.3), a(x, np.linspace(1, 2, 12)), a(x, np.float64(0.2)), a(x, np.array(0.4)))):
        res[f"a{i}"] = v
    for i, v in enumerate((*b(x), *b(x, 0.7), *b(x, np.float32(0.5)))):
        res[f"b{i}"] = v
    res["c"], res["c1"] = c(x), c(x, "hard")
    res["d"], res["d1"] = d(x), d(x, 3)
    for i, (v, w, m) in enumerate((e(x), e(x, 0.2), e(x, hi=np.full(12, 2.0), lo=0.0))):
        res[f"e{i}"], res[f"ew{i}"] = v, np.array([np.mean(t) for t in w])
        print(type(m).__name__ if i < 2 else "", round(float(np.mean(m)), 6))
    res["f"], res["f1"] = f(x), f(x, x)
    for i, (v, w) in enumerate((g(x), g(x, 0.4))):
        res[f"g{i}"] = v
        print(type(w["centre"]).__name__, round(float(w["centre"]), 6))
    res["h"], k = h(x)
    res["h1"], _ = h(x, 1e-2, 2.0)
    print(k, {key: np.asarray(v).dtype.name for key, v in res.items()})
    np.savez(out, **res)


main(sys.argv[1])
