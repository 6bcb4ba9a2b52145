"""Loops within the loop, arrays that the body makes and changes, names bound under conditions."""

import numpy as np


def powers(a: np.ndarray):
    out = []
    for m in a:
        for _ in range(3):
            m = m @ m
            m = m / np.linalg.norm(m)
        out.append(m)
    return out


def power_iteration(a: np.ndarray, steps: int):
    values = np.empty(len(a))
    for i in range(len(a)):
        v = np.ones(3)
        for _ in range(steps):
            v = a[i] @ v
            v /= np.linalg.norm(v)
        values[i] = v @ a[i] @ v
    return values


def newton_inverse(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        x = a[i].T / (np.linalg.norm(a[i], 1) * np.linalg.norm(a[i], np.inf))
        for _ in range(8):
            x = x @ (2.0 * np.eye(3) - a[i] @ x)
        out[i] = x
    return out


def tracks(z: np.ndarray, f: np.ndarray, h: np.ndarray, q: np.ndarray, r: np.ndarray):
    out = np.empty((z.shape[0], z.shape[1], 2))
    for k in range(z.shape[0]):
        x = np.zeros(2)
        p = np.eye(2)
        for t in range(z.shape[1]):
            x = f @ x
            p = f @ p @ f.T + q
            gain = p @ h.T @ np.linalg.inv(h @ p @ h.T + r)
            x = x + gain @ (z[k, t] - h @ x)
            p = p - gain @ h @ p
            out[k, t] = x
    return out


def track(z, f, q):
    xs = np.zeros((len(z), 2))
    x = np.zeros(2)
    p = np.eye(2)
    for t in range(len(z)):
        x = f @ x
        p = f @ p @ f.T + q
        x = x + np.linalg.solve(p + np.eye(2), z[t] - x)
        xs[t] = x
    return xs


def tracks_by_function(z: np.ndarray, f: np.ndarray, q: np.ndarray):
    out = []
    for one in z:
        out.append(track(one, f, q))
    return np.array(out)


def rotation(p, q):
    u, _, vt = np.linalg.svd((p - p.mean(axis=0)).T @ (q - q.mean(axis=0)))
    r = vt.T @ u.T
    if np.linalg.det(r) < 0:
        vt[-1] *= -1
        r = vt.T @ u.T
    return r


def rotations(p: np.ndarray, q: np.ndarray):
    return [rotation(a, b) for a, b in zip(p, q)]


def sign_fixed(p: np.ndarray, q: np.ndarray):
    out = np.zeros((len(p), 3, 3))
    for i in range(len(p)):
        u, s, vt = np.linalg.svd(p[i].T @ q[i])
        d = np.eye(3)
        d[2, 2] = np.sign(np.linalg.det(u) * np.linalg.det(vt))
        out[i] = u @ d @ vt
    return out


def number_taken(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        d = np.linalg.inv(a[i])
        s = d[0, 0]
        d[0, 0] = 5.0
        out[i] = d * s
    return out


def row_taken(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        d = np.linalg.inv(a[i])
        row = d[0]
        d[0, 1] = 7.0
        row[2] = 3.0
        out[i] = d + row
    return out


def two_names(a: np.ndarray):
    out = []
    for m in a:
        d = np.linalg.inv(m)
        e = d
        if e[0, 0] > 0:
            d = d * 2.0
        d[1] += 1.0
        out.append(d @ e)
    return out


def scaled_if(a: np.ndarray):
    out = np.zeros(len(a), np.float32)
    for i in range(len(a)):
        m = a[i] / 2.0
        n = np.linalg.norm(m)
        if n > 2:
            m = m / n
            n = n - 2
        out[i] = np.linalg.det(m) + n
    return out


def argument_changed(a: np.ndarray):
    out = np.zeros(len(a))
    for i in range(len(a)):
        m = a[i]
        m[0, 0] = 1.0
        out[i] = np.linalg.det(m)
    return out


def argument_grown(a: np.ndarray):
    out = np.zeros(len(a))
    for i in range(len(a)):
        m = a[i]
        m += 1.0
        out[i] = np.linalg.det(m)
    return out


def number_grown(a: np.ndarray):
    out = []
    for m in a:
        d = np.linalg.det(m)
        e = d
        for k in range(3):
            d += k * np.trace(m)
            d *= 0.5
        out.append(d - e)
    return out


def condition_within(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        x = a[i] @ a[i].T / 2.0
        for k in range(4):
            if np.linalg.norm(x) > 1.0:
                x = x / np.linalg.norm(x)
            x = x @ x + k
        out[i] = np.linalg.inv(x + np.eye(3))
    return out


def skipped_within(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        x = np.linalg.inv(a[i])
        for k in range(4):
            if x[0, 0] > k:
                continue
            x = x * 1.5
        out[i] = x
    return out


def stopped_within(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        x = np.linalg.inv(a[i])
        for k in range(4):
            x = x * 1.5
            if x[0, 0] > k:
                break
        out[i] = x
    return out


def own_trips(a: np.ndarray, n: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        x = np.linalg.inv(a[i])
        for k in range(n[i]):
            x = x @ x
        out[i] = x
    return out


def shape_changes(a: np.ndarray):
    out = []
    for m in a:
        x = np.linalg.inv(m)
        for k in range(2):
            x = x[0]
        out.append(x)
    return out


def places_within(a: np.ndarray):
    out = np.zeros((len(a), 3))
    for i in range(len(a)):
        for j in range(3):
            out[i, j] = np.linalg.norm(a[i, j])
    return out


def two_axes(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = np.linalg.inv(a[i, j])
    return out


def late_error(a: np.ndarray, out: np.ndarray):
    for i in range(len(a)):
        x = a[i]
        for k in range(2):
            out[i, k] = x[0]
            x = np.linalg.inv(x)


def counter_after(a: np.ndarray):
    k = 0
    out = []
    for m in a:
        for k in range(3):
            m = m @ m
        out.append(np.linalg.det(m))
    return out, k


def another_dtype(a: np.ndarray):
    out = []
    for m in a:
        w = np.linalg.eigvalsh(m @ m.T)
        if w[0] > 0.01:
            w = w[:2] * 1.0
        out.append(w)
    return out


RNG = np.random.default_rng(11)
A = RNG.normal(size=(6, 3, 3))
S = A.copy()
S[3] = 0
P, Q = RNG.normal(size=(2, 8, 7, 3))
B = RNG.normal(size=(3, 4, 3, 3))
T = B.copy()
T[1, 2] = 0
F, H = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
KINDS = {"": A, "-singular": S, "-empty": A[:0], "-single": A.astype("f4"), "-complex": A + 1j,
         "-whole": np.arange(27).reshape(3, 3, 3) ** 2 % 7}
CASES = {
    name + kind: (lambda m=m: (m.copy(),))
    for name in ("powers", "newton_inverse", "number_taken", "row_taken", "two_names",
                 "scaled_if", "argument_changed", "argument_grown", "number_grown",
                 "condition_within", "skipped_within", "stopped_within", "shape_changes",
                 "places_within", "counter_after")
    for kind, m in KINDS.items()
} | {
    "power_iteration": lambda: (A @ A.swapaxes(1, 2), 9),
    "power_iteration-none": lambda: (A @ A.swapaxes(1, 2), 0),
    "power_iteration-single": lambda: (A.astype("f4"), 3),
    "tracks": lambda: (P[:, :, :1].copy(), F, H, np.eye(2) * 0.1, np.eye(1)),
    "tracks_by_function": lambda: (P[:, :, :2].copy(), F, np.eye(2) * 0.1),
    "rotations": lambda: (P.copy(), Q.copy()),
    "rotations-single": lambda: (P.astype("f4"), Q.astype("f4")),
    "rotations-empty": lambda: (P[:0], Q[:0]),
    "sign_fixed": lambda: (P.copy(), Q.copy()),
    "own_trips": lambda: (A.copy(), np.array([0, 1, 2, 0, 1, 3])),
    "two_axes": lambda: (B.copy(),),
    "two_axes-singular": lambda: (T.copy(),),
    "two_axes-empty": lambda: (B[:, :0],),
    "late_error": lambda: (S.copy(), np.zeros((6, 2, 3))),
    "another_dtype": lambda: (A[:1].copy() * 0 + np.eye(3) * 0.01,),
}
