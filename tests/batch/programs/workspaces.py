import numpy as np

R = np.random.default_rng(11)
XY = R.random((30, 2))
Z = R.random(30)
TARGETS = R.random((9, 2))
NEAR = np.array([R.permutation(30)[:5] for _ in range(9)])
M = R.normal(size=(7, 3, 3))
V = R.normal(size=(7, 3))


def kriging(xy: np.ndarray, z: np.ndarray, targets: np.ndarray, near: np.ndarray):
    k = near.shape[1]
    found = np.empty(len(targets))
    a = np.ones((k + 1, k + 1))
    b = np.ones(k + 1)
    for t in range(len(targets)):
        index = near[t]
        around = xy[index]
        a[:k, :k] = np.exp(-((around[:, None, :] - around[None, :, :]) ** 2).sum(axis=-1))
        a[k, k] = 0.0
        b[:k] = np.exp(-((around - targets[t]) ** 2).sum(axis=-1))
        w = np.linalg.solve(a, b)
        found[t] = w[:k] @ z[index]
    return found


def into_argument(mats: np.ndarray, rhs: np.ndarray, out: np.ndarray):
    k = mats.shape[1]
    a = np.eye(k + 1)
    b = np.zeros(k + 1)
    for t in range(len(mats)):
        a[:k, :k] = mats[t] @ mats[t].T
        b[:k] = rhs[t]
        out[t] = np.linalg.solve(a, b)


def whole_numbers(mats: np.ndarray):
    a = np.zeros((3, 3), dtype=int)
    found = []
    for t in range(len(mats)):
        a[:, :2] = 10 * mats[t][:, 1:]
        a[:, 2] = 1
        found.append(np.linalg.det(a @ a.T + 1))
    return np.array(found)


def read_before(mats: np.ndarray):
    a = np.zeros((3, 3))
    found = []
    for t in range(len(mats)):
        before = np.linalg.norm(a)
        a[:, :] = mats[t]
        found.append(np.linalg.det(a) + before)
    return np.array(found)


def under_condition(mats: np.ndarray):
    a = np.eye(3)
    found = []
    for t in range(len(mats)):
        if mats[t][0, 0] > 0:
            a[:2, :2] = mats[t][:2, :2]
        found.append(np.linalg.det(a))
    return np.array(found)


def other_places(mats: np.ndarray):
    a = np.eye(7)
    found = []
    for t in range(len(mats)):
        a[t, :3] = mats[t][0]
        found.append(np.linalg.det(a))
    return np.array(found)


def read_after(mats: np.ndarray):
    a = np.eye(3)
    found = []
    for t in range(len(mats)):
        a[:2, :2] = mats[t][:2, :2]
        found.append(np.linalg.det(a))
    return np.array(found), a


def of_caller(mats: np.ndarray, a: np.ndarray):
    found = []
    for t in range(len(mats)):
        a[:2, :2] = mats[t][:2, :2]
        found.append(np.linalg.det(a))
    return np.array(found)


def of_other_memory(mats: np.ndarray):
    flat = np.zeros(9)
    a = flat.reshape(3, 3)
    found = []
    for t in range(len(mats)):
        a[:, :] = mats[t]
        found.append(np.linalg.det(a))
    return np.array(found), flat


def kept(mats: np.ndarray):
    a = np.eye(3)
    rows, found = [], []
    for t in range(len(mats)):
        a[:2, :2] = mats[t][:2, :2]
        found.append(np.linalg.det(a))
        rows.append(a)
    return np.array(rows), np.array(found)


CASES = {
    "kriging": lambda: (XY, Z, TARGETS, NEAR),
    "kriging-none": lambda: (XY, Z, TARGETS[:0], NEAR),
    "into_argument": lambda: (M.copy(), V, np.zeros((7, 4))),
    "into_argument-singular": lambda: (np.stack([M[0], 0 * M[0], M[2]]), V[:3], np.zeros((3, 4))),
    "whole_numbers": lambda: (M,),
    "read_before": lambda: (M,),
    "under_condition": lambda: (M,),
    "other_places": lambda: (M,),
    "read_after": lambda: (M,),
    "of_caller": lambda: (M, np.eye(3)),
    "of_other_memory": lambda: (M,),
    "kept": lambda: (M,),
}
