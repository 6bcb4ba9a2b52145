"""Elements of windows at a place of their order: medians, trimmed extremes, with NaN."""

import numpy as np


def middle(x: np.ndarray):
    out = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        out[i] = sorted(x[i - 1 : i + 2])[1]
    return out


def named(x: np.ndarray):
    out = x.copy()
    for i in range(2, len(x) - 2):
        window = np.sort(x[i - 2 : i + 3])
        out[i] = (window[1] + window[3]) / 2
    return out


def patches(img: np.ndarray):
    h, w = img.shape
    out = img.copy()
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = np.sort(img[i - 1 : i + 2, j - 1 : j + 2].ravel())[4]
    return out


def high(x: np.ndarray):
    out = np.zeros_like(x)
    for i in range(len(x) - 3):
        out[i] = np.sort(x[i : i + 4])[-2] - sorted(x[i : i + 4])[0]
    return out


def listed(x: np.ndarray):
    out = []
    for i in range(1, len(x) - 1):
        out.append(sorted(x[i - 1 : i + 2])[1])
    return np.array(out)


def own(x: np.ndarray):
    for i in range(1, len(x) - 1):
        x[i] = sorted(x[i - 1 : i + 2])[1]
    return x


rng = np.random.default_rng(4)
for n in (0, 2, 3, 5, 50):
    x = rng.normal(size=n).round(1)
    y = np.where(rng.random(n) < 0.2, np.nan, x)
    z = np.where(x > 0, 0.0, -0.0)
    print(np.signbit(middle(z)).tolist(), np.signbit(listed(z)).tolist() if n > 2 else 0)
    for r in (middle(x), middle(y), named(x), named(y), high(x), listed(x), listed(y), own(x.copy()), own(y.copy())):
        print(n, np.nan_to_num(r, nan=99).tolist())
k = (rng.normal(size=30) * 9).astype(int)
print(middle(k).tolist(), named(k).tolist(), high(k).tolist(), listed(k).tolist(), own(k).tolist())
