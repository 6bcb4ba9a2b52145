import numpy as np

R = np.random.default_rng(12)
I = R.normal(size=(20, 24))
J = np.roll(I, 1, axis=1)
C = np.stack([R.integers(4, 15, size=6), R.integers(4, 19, size=6)], axis=1)


def flow(ix: np.ndarray, iy: np.ndarray, it: np.ndarray, corners: np.ndarray, h: int):
    out = np.zeros((len(corners), 2))
    for k in range(len(corners)):
        r, c = corners[k]
        wx = ix[r - h : r + h + 1, c - h : c + h + 1]
        wy = iy[r - h : r + h + 1, c - h : c + h + 1]
        wt = it[r - h : r + h + 1, c - h : c + h + 1]
        a = np.array([[np.sum(wx * wx), np.sum(wx * wy)], [np.sum(wx * wy), np.sum(wy * wy)]])
        b = -np.array([np.sum(wx * wt), np.sum(wy * wt)])
        out[k] = np.linalg.solve(a, b)
    return out


def taken_apart(ix: np.ndarray, iy: np.ndarray, it: np.ndarray, corners: np.ndarray, h: int):
    flows = []
    for r, c in corners:
        x = ix[r - h : r + h + 1, c - h : c + h + 1].ravel()
        y = iy[r - h : r + h + 1, c - h : c + h + 1].flatten()
        t = it[r - h : r + h + 1, c - h : c + h + 1].reshape(-1)
        a = np.stack([x, y], axis=1)
        flows.append(np.linalg.solve(a.T @ a, -a.T @ t))
    return np.array(flows)


def numbered(ix: np.ndarray, iy: np.ndarray, it: np.ndarray, corners: np.ndarray, h: int):
    out = np.zeros((corners.shape[0], 2))
    for k, (r, c) in enumerate(corners):
        x = ix[r - h : r + h + 1, c - h : c + h + 1]
        t = it[r - h : r + h + 1, c - h : c + h + 1]
        y = iy[r - h : r + h + 1, c - h : c + h + 1]
        a = np.column_stack([x.ravel(), y.ravel()])
        out[k] = np.linalg.lstsq(a, -t.ravel(), rcond=None)[0]
    return out


def skipping(ix: np.ndarray, iy: np.ndarray, it: np.ndarray, corners: np.ndarray, h: int):
    out = np.full((len(corners), 2), -1.0)
    for k in range(len(corners)):
        r, c = corners[k]
        x = ix[r - h : r + h + 1, c - h : c + h + 1]
        y = iy[r - h : r + h + 1, c - h : c + h + 1]
        a = np.array([[np.sum(x * x), np.sum(x * y)], [np.sum(x * y), np.sum(y * y)]])
        if np.linalg.det(a) < 100.0:
            continue
        t = it[r - h : r + h + 1, c - h : c + h + 1]
        out[k] = np.linalg.solve(a, -np.array([np.sum(x * t), np.sum(y * t)]))
    return out


def whole(image: np.ndarray, places: np.ndarray, h: int):
    energy = np.zeros(len(places))
    for i in range(len(places)):
        y, x = int(places[i, 0]), int(places[i, 1])
        patch = image[y - h : y + h + 1, x - h : x + h + 1]
        energy[i] = np.linalg.svd(patch - patch.mean(), compute_uv=False)[0]
    return energy


def rounded(image: np.ndarray, places: np.ndarray, h: int):
    energy = np.zeros(len(places))
    for i in range(len(places)):
        y = int(round(places[i, 0]))
        x = round(places[i, 1])
        energy[i] = np.linalg.norm(image[y - h : y + h + 1, x - h : x + h + 1], 2)
    return energy


def rows_of(image: np.ndarray, starts: np.ndarray, n: int):
    out = np.zeros((len(starts), n, n))
    for i in range(len(starts)):
        s = starts[i]
        part = image[s : s + n]
        out[i] = part @ part.T
    return out


def changed(image: np.ndarray, starts: np.ndarray, n: int):
    out = np.zeros((len(starts), n, n))
    for i in range(len(starts)):
        s = starts[i]
        part = image[s : s + n]
        part += 1.0
        out[i] = part @ part.T
    return out


def arithmetic(image: np.ndarray, places: np.ndarray, h: int):
    out = np.zeros((len(places), 2 * h, 2 * h), image.dtype)
    for i in range(len(places)):
        y, x = int(places[i, 0]), int(places[i, 1])
        out[i] = np.linalg.inv(image[y - h : y + h, x - h : x + h] * y)
    return out


def own_corners(image: np.ndarray, corners: np.ndarray, h: int):
    total = np.zeros((2 * h, 2 * h))
    for k in range(len(corners)):
        r, c = corners[k]
        corners[k] = 0
        w = image[r - h : r + h, c - h : c + h]
        total += w @ w.T
    return total


def unequal(image: np.ndarray, starts: np.ndarray, stops: np.ndarray):
    out = np.zeros(len(starts))
    for i in range(len(starts)):
        out[i] = np.linalg.norm(image[starts[i] : stops[i]] @ image[0])
    return out


def added(a: np.ndarray, image: np.ndarray, starts: np.ndarray):
    total = 0.0
    out = np.zeros(len(starts))
    for i in range(len(starts)):
        total += np.sum(a[i])
        out[i] = np.linalg.norm(image[starts[i] : starts[i] + 5] @ image[0])
    return total, out


B = np.concatenate([C, [[1, 9]]])
T = np.concatenate([C, [[11, 22]]])
N = np.concatenate([C, [[2, -2]]])
FLOWS = ("flow", "taken_apart", "numbered", "skipping")
CASES = {
    **{name: lambda: (I.copy(), J.copy(), I - J, C.copy(), 3) for name in FLOWS},
    **{f"{name}-over the border": lambda: (I.copy(), J.copy(), I - J, B.copy(), 3) for name in FLOWS},
    **{f"{name}-over the end": lambda: (I.copy(), J.copy(), I - J, T.copy(), 3) for name in FLOWS},
    **{f"{name}-before the start": lambda: (I.copy(), J.copy(), I - J, N.copy(), 3) for name in FLOWS},
    **{f"{name}-float places": lambda: (I.copy(), J.copy(), I - J, C * 1.0, 3) for name in FLOWS},
    **{f"{name}-small whole numbers": lambda: (I.copy(), J.copy(), I - J, C.astype("u1"), 3) for name in FLOWS},
    **{f"{name}-three of each": lambda: (I.copy(), J.copy(), I - J, np.c_[C, C[:, :1]], 3) for name in FLOWS},
    **{f"{name}-none": lambda: (I.copy(), J.copy(), I - J, C[:0].copy(), 3) for name in FLOWS},
    **{f"{name}-empty windows": lambda: (I.copy(), J.copy(), I - J, C.copy(), -2) for name in FLOWS},
    "taken_apart-single": lambda: (I.astype("f"), J.astype("f"), (I - J).astype("f"), C.copy(), 2),
    "whole": lambda: (I.copy(), C.copy(), 3), "whole-cut off": lambda: (I.copy(), C + 0.7, 3),
    "whole-NaN": lambda: (I.copy(), np.where(C == C[2], np.nan, C), 3),
    "rounded": lambda: (I.copy(), C + 0.7, 3), "rounded-halves": lambda: (I.copy(), C + 0.5, 2),
    "rounded-whole": lambda: (I.copy(), C.copy(), 2), "rounded-NaN": lambda: (I.copy(), C * np.nan, 2),
    "rows_of": lambda: (I.copy(), np.array([0, 4, 9, 2]), 5),
    "rows_of-over the end": lambda: (I.copy(), np.array([0, 4, 17, 2]), 5),
    "rows_of-negative": lambda: (I.copy(), np.array([0, -5, 17, 2]), 3),
    "changed": lambda: (I.copy(), np.array([0, 4, 9, 2]), 5),
    "arithmetic": lambda: (I.astype("f"), C.copy(), 2), "arithmetic-double": lambda: (I.copy(), C.copy(), 2),
    "own_corners": lambda: (I.copy(), C.copy(), 2),
    "unequal": lambda: (I.copy(), np.array([0, 4, 9]), np.array([3, 8, 19])),
    "unequal-equal": lambda: (I.copy(), np.array([0, 4, 9]), np.array([3, 7, 12])),
    "added": lambda: (I[:3, :2].copy(), I.copy(), np.array([0, 4, 9])),
    "added-over the end": lambda: (np.ones((3, 2)), I.copy(), np.array([0, 4, 19])),
}
