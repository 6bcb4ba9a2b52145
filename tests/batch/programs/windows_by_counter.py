"""Parts of an array at places that the counter gives, and loops that begin where a name says."""
import numpy as np


def smooth(x: np.ndarray, h: int):
    a = np.vander(np.arange(-h, h + 1), 2)
    out = x.copy()
    for i in range(h, len(x) - h):
        c = np.linalg.lstsq(a, x[i - h:i + h + 1], rcond=None)[0]
        out[i] = c[-1]
    return out


def in_place(x: np.ndarray, h: int):
    a = np.vander(np.arange(-h, h + 1), 2)
    for i in range(h, len(x) - h):
        x[i] = np.linalg.lstsq(a, x[i - h:i + h + 1], rcond=None)[0][-1]
    return x


def covariances(x: np.ndarray, h: int):
    n = x.shape[0]
    out = np.zeros((n, x.shape[1], x.shape[1]))
    for i in range(h, n - h):
        part = x[i - h:i + h + 1]
        part = part - part.mean(axis=0)
        out[i] = part.T @ part / (2 * h)
    return out


def slopes(x: np.ndarray, y: np.ndarray, w: int):
    out = np.full(len(x), np.nan)
    for i in range(len(x) - w):
        a = np.column_stack([x[i:i + w], np.ones(w)])
        out[i] = np.linalg.lstsq(a, y[i:i + w], rcond=None)[0][0]
    return out


def rolling(x: np.ndarray, y: np.ndarray, w: int):
    out = np.full((len(x), 2), np.nan)
    for t in range(w, len(x) + 1):
        a = np.column_stack([np.ones(w), x[t - w:t]])
        out[t - 1] = np.linalg.lstsq(a, y[t - w:t], rcond=None)[0]
    return out


def tiles(image: np.ndarray, t: int):
    h, w = image.shape
    out = np.zeros((h // t, w // t))
    for i in range(h // t):
        for j in range(w // t):
            tile = image[i * t:(i + 1) * t, j * t:(j + 1) * t]
            out[i, j] = np.linalg.svd(tile, compute_uv=False)[0]
    return out


def bound_anew(image: np.ndarray, n: int, t: int):
    out = np.zeros(n)
    for i in range(n):
        tile = image[i * t:(i + 1) * t, :t]
        t = tile.shape[0]
        out[i] = np.linalg.det(tile)
    return out


def from_there(a: np.ndarray, k: int):
    out = np.zeros_like(a)
    for i in range(k, len(a)):
        out[i] = np.linalg.inv(a[i])
    return out


def before(a: np.ndarray, k: int):
    out = np.zeros_like(a)
    for i in range(k, len(a)):
        out[i] = np.linalg.inv(a[i - 1])
    return out


def until(a: np.ndarray, k: int):
    out = np.zeros_like(a)
    for i in range(len(a) - k):
        out[i] = np.linalg.inv(a[i]) @ a[i + 1]
    return out


def along(a: np.ndarray, k: int):
    out = np.zeros_like(a)
    for i in range(k, a.shape[2]):
        out[:, :, i] = np.linalg.inv(a[:, :, i])
    return out


def numbered(a: np.ndarray, k: int):
    return {i: np.linalg.inv(a[i]) for i in range(k, len(a))}


def of_some(x: np.ndarray, ok: np.ndarray, w: int):
    out = np.zeros(len(ok))
    for i in range(len(ok)):
        if ok[i]:
            out[i] = np.linalg.det(x[i:i + w, :w])
    return out


def _vector(n=12):
    return np.random.default_rng(0).normal(size=n)


def _matrix(n=12, m=3):
    return np.random.default_rng(1).normal(size=(n, m))


def _stack(n=5, k=3):
    return np.random.default_rng(2).normal(size=(n, k, k)) + 3 * np.eye(k)


CASES = {
    **{f"smooth-{h}": lambda h=h: (_vector(), h) for h in (0, 1, 2, 5, 6, 20, -1)},
    "smooth-none": lambda: (_vector(0), 2),
    "in_place": lambda: (_vector(), 2),
    **{f"covariances-{h}": lambda h=h: (_matrix(), h) for h in (1, 5, 7, -1)},
    "covariances-numpys": lambda: (_matrix(), np.int64(2)),
    **{f"slopes-{w}": lambda w=w: (_vector(), _vector()[::-1], w) for w in (2, 11, 12, 15)},
    "slopes-shorter": lambda: (_vector(), _vector(8), 3),
    **{f"rolling-{w}": lambda w=w: (_vector(), _vector()[::-1], w) for w in (1, 2, 12, 15)},
    **{f"tiles-{t}": lambda t=t: (np.outer(_vector(9), _vector(13)) + 1, t) for t in (2, 3, 9, 20)},
    "tiles-zero": lambda: (_matrix(), 0),
    "bound_anew": lambda: (_matrix(), 3, 2),
    **{f"from_there-{k}": lambda k=k: (_stack(), k) for k in (0, 1, 4, 5, 9, -1, -2)},
    "from_there-singular": lambda: (_stack() * np.array([1, 1, 1, 0, 1])[:, None, None], 2),
    **{f"before-{k}": lambda k=k: (_stack(), k) for k in (0, 1, 4, 5, -1)},
    **{f"until-{k}": lambda k=k: (_stack(), k) for k in (0, 1, 2, 5, 7, -1)},
    **{f"along-{k}": lambda k=k: (_stack().transpose(1, 2, 0), k) for k in (0, 2, 5)},
    **{f"numbered-{k}": lambda k=k: (_stack(), k) for k in (0, 2)},
    "of_some": lambda: (_matrix(), np.arange(10) % 3 > 0, 2),
    "of_some-over": lambda: (_matrix(), np.arange(12) % 3 > 0, 2),
}
