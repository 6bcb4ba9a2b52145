import numpy as np

R = np.random.default_rng(31)
X = R.normal(size=(17, 3))
Y = R.normal(size=17)
STACK = R.normal(size=(7, 3, 3))
SINGULAR = np.concatenate([R.normal(size=(6, 3)), np.zeros((3, 3)), R.normal(size=(3, 3))])


def blocks(x: np.ndarray, n: int):
    out = []
    for i in range(0, len(x), n):
        out.append(np.linalg.svd(x[i : i + n], compute_uv=False))
    return out


def stacks_of_stacks(m: np.ndarray, n: int):
    return [np.linalg.det(m[i : i + n]) for i in range(0, len(m), n)]


def windows(x: np.ndarray, w: int):
    res = []
    for i in range(x.shape[0] - w + 1):
        win = x[i : i + w]
        res.append(np.linalg.svd(win - win.mean(axis=0), compute_uv=False)[0])
    return np.array(res)


def covariances(r: np.ndarray, w: int):
    found = []
    for t in range(w, len(r) + 1):
        found.append(np.cov(r[t - w : t], rowvar=False))
    return np.stack(found)


def placed(x: np.ndarray, w: int):
    out = np.zeros(len(x) - w + 1)
    for i in range(len(x) - w + 1):
        out[i] = np.linalg.norm(x[i : i + w].T @ x[i : i + w])
    return out


def two_at_once(x: np.ndarray, y: np.ndarray, n: int):
    out = []
    for i in range(0, len(x), n):
        out.append(np.linalg.lstsq(x[i : i + n], y[i : i + n], rcond=None)[0])
    return out


def split(x: np.ndarray, k: int):
    out = []
    for part in np.array_split(x, k):
        out.append(np.linalg.qr(part)[1])
    return out


def split_evenly(x: np.ndarray, k: int):
    return np.array([np.linalg.det(p.T @ p) for p in np.split(x, k)])


def inverses(x: np.ndarray, n: int):
    out = []
    for i in range(0, len(x), n):
        out.append(np.linalg.inv(x[i : i + n]))
    return out


def windows_from_their_end(x: np.ndarray, w):
    """The counter is where each window ends; what is written has the number of the window."""
    n = len(x)
    tops = np.zeros(n - w + 1)
    for t in range(w, n + 1):
        block = x[t - w:t]
        tops[t - w] = np.linalg.eigvalsh(block.T @ block)[-1]
    return tops


def windows_beside_others(x: np.ndarray, w):
    """Stays: the counter is used beside the number of the window."""
    n = len(x)
    tops = np.zeros(n + 1)
    for t in range(w, n + 1):
        block = x[t - w:t]
        tops[t] = np.linalg.eigvalsh(block.T @ block)[-1]
    return tops


W = np.random.default_rng(8).normal(size=(13, 3))

CASES = {
    "blocks": lambda: (X.copy(), 5), "blocks-one": lambda: (X.copy(), 40),
    "blocks-none": lambda: (X[:0], 2), "blocks-no step": lambda: (X.copy(), 0),
    "blocks-f4": lambda: (X.astype("f4"), 5), "blocks-turned": lambda: (X[::-1], 5),
    "stacks_of_stacks": lambda: (STACK.copy(), 3),
    "windows": lambda: (X.copy(), 6), "windows-too long": lambda: (X.copy(), 30),
    "windows-half a step": lambda: (X.copy(), 2.5),
    "covariances": lambda: (X.copy(), 6),
    "placed": lambda: (X.copy(), 4),
    "two_at_once": lambda: (X.copy(), Y.copy(), 6),
    "two_at_once-shorter": lambda: (X.copy(), Y[:10].copy(), 6),
    "split": lambda: (X.copy(), 4), "split-more than there are": lambda: (X.copy(), 30),
    "split_evenly": lambda: (X[:12].copy(), 4), "split_evenly-rest": lambda: (X.copy(), 4),
    "inverses": lambda: (SINGULAR[:6].copy(), 3), "inverses-singular": lambda: (SINGULAR.copy(), 3),
    "inverses-no square": lambda: (SINGULAR.copy(), 5),
    "windows_from_their_end": lambda: (W.copy(), 4), "windows_from_their_end-one": lambda: (W.copy(), len(W)),
    "windows_from_their_end-short": lambda: (W.copy(), 40), "windows_beside_others": lambda: (W.copy(), 4),
}
