import sys
import numpy as np


def scale(x: np.ndarray, new_range=(0.0, 1.0), eps=1e-9):
    lo, hi = x.min(), x.max()
    if hi - lo < eps:
        mean = (new_range[0] + new_range[1]) / 2.0
        return np.full(x.shape, mean)
    xp = x - lo
    xp *= (new_range[1] - new_range[0]) / (hi - lo)
    xp += new_range[0]
    return xp


def circle(r: np.ndarray, centre=(0, 0), n=8):
    cx, cy = centre
    t = np.linspace(0, 2 * np.pi, n)
    return np.stack([cx + r * np.cos(t), cy + r * np.sin(t)])


def grid(shape=(4, 5), step=(1.0, -1.0)):
    a = np.zeros(shape)
    for k, s in enumerate(step):
        a += s * (k + 2)
    return np.exp(a)


def shifted(p: np.ndarray, origin=(0.0, 0.0)):
    return np.sqrt(np.sum((p - origin) ** 2, axis=1))


def weighted(p: np.ndarray, w=(1, 2)):
    return np.exp(p) * w[0] + sum(w) * np.sin(p), len(w), w + (3,)


x = np.array([1.0, 5.0, 3.0])
r = {
    "a": scale(x), "b": scale(x, (1, 3)), "c": scale(x, [2.0, 3.0]), "d": scale(x, np.array([1.0, 4.0])),
    "e": scale(np.ones(3)), "f": circle(np.ones(8)), "g": circle(np.ones(8), (0.5, 2)),
    "h": circle(np.ones(8), np.array([1.0, 2])), "i": grid(), "j": grid((2,)), "k": grid((2, 2, 2), (1,)),
    "l": shifted(np.ones((3, 2))), "m": shifted(np.ones((3, 2)), np.array([1.0, 0.5])),
    "n": shifted(np.ones((3, 2), np.float32)), "o": circle(np.ones(8, np.float32)),
    "q": shifted(np.ones((3, 2)), [0.5, 1]),
}
for k, v in enumerate((weighted(x), weighted(x, (2, 3, 4)), weighted(x, (0.5, 1)))):
    r[f"w{k}"] = v[0]
    print(v[1:])
r["y"] = circle(np.ones((2, 8)), (np.ones(8), 3))
np.savez(sys.argv[1], **r)
