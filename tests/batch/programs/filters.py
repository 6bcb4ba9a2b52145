import numpy as np

R = np.random.default_rng(8)
F = np.eye(4) + 0.1 * np.eye(4, k=2)
H = np.eye(2, 4)
Q, N = 0.01 * np.eye(4), 0.1 * np.eye(2)
X = R.normal(size=(5, 4))
P = np.stack([np.eye(4) * (k + 1) for k in range(5)])
Z = R.normal(size=(3, 5, 2))
C = R.normal(size=(6, 8, 2))


def predict(x: np.ndarray, p: np.ndarray, f: np.ndarray, q: np.ndarray):
    x = f @ x
    p = f @ p @ f.T + q
    return x, p


def update(x: np.ndarray, p: np.ndarray, z: np.ndarray, h: np.ndarray, r: np.ndarray):
    s = h @ p @ h.T + r
    gain = np.linalg.solve(s.T, h @ p.T).T
    return x + gain @ (z - h @ x), (np.eye(len(x)) - gain @ h) @ p


def track(xs: np.ndarray, ps: np.ndarray, zs: np.ndarray, f: np.ndarray, q: np.ndarray, h: np.ndarray, r: np.ndarray):
    for t in range(zs.shape[0]):
        new_x, new_p = [], []
        for i in range(len(xs)):
            x, p = predict(xs[i], ps[i], f, q)
            x, p = update(x, p, zs[t, i], h, r)
            new_x.append(x)
            new_p.append(p)
        xs, ps = np.array(new_x), np.array(new_p)
    return xs, ps


def predicted(xs: np.ndarray, ps: np.ndarray, f: np.ndarray, q: np.ndarray):
    out_x, out_p = np.zeros_like(xs), np.zeros_like(ps)
    for i in range(len(xs)):
        out_x[i], out_p[i] = predict(xs[i], ps[i], f, q)
    return out_x, out_p


def procrustes(a: np.ndarray, b: np.ndarray):
    ca, cb = a - a.mean(axis=0), b - b.mean(axis=0)
    u, s, vt = np.linalg.svd(ca.T @ cb)
    r = u @ vt
    return s.sum() / np.sum(ca**2) * np.sign(np.linalg.det(r)) * ca @ r + b.mean(axis=0)


def align(shapes: np.ndarray, mean: np.ndarray):
    return np.array([procrustes(s, mean) for s in shapes])


def align_each(shapes: list[np.ndarray], means: list[np.ndarray]):
    return [procrustes(s, m) for s, m in zip(shapes, means)]


def centred(x: np.ndarray):
    return x - x.mean(axis=0)


def covariance(x: np.ndarray):
    c = centred(x)
    return c.T @ c / (x.shape[0] - 1)


def axes(x: np.ndarray):
    w, v = np.linalg.eigh(covariance(x))
    return w[::-1], v[:, ::-1] ** 2


def whitened(x: np.ndarray):
    w, v = axes(x)
    return np.abs(centred(x) @ v) / np.sqrt(w)


def all_axes(clouds: np.ndarray):
    ws, vs = [], []
    for c in clouds:
        w, v = axes(c)
        ws.append(w)
        vs.append(v)
    return ws, vs


def all_whitened(clouds: np.ndarray):
    return np.array([whitened(c) for c in clouds])


def odd(x: np.ndarray):
    return np.linalg.inv(even(x))


def even(x: np.ndarray):
    return odd(x) if len(x) > 3 else x


def all_odd(clouds: np.ndarray):
    return [odd(c) for c in clouds]


def columns(a: np.ndarray):
    out = np.empty(a.shape)
    for k in range(a.shape[-1]):
        out[..., k] = np.linalg.inv(a[..., k])
    return out


CASES = {
    "track": lambda: (X.copy(), P.copy(), Z.copy(), F, Q, H, N),
    "track-one": lambda: (X[:1].copy(), P[:1].copy(), Z[:, :1].copy(), F, Q, H, N),
    "track-short": lambda: (X.copy(), P.copy(), Z[:, :3].copy(), F, Q, H, N),
    "track-singular": lambda: (X.copy(), P * 0, Z.copy(), F, Q * 0, H, N * 0),
    "predicted": lambda: (X.copy(), P.copy(), F, Q), "predicted-none": lambda: (X[:0], P[:0], F, Q),
    "predicted-same": lambda: (X.copy(), F.copy()[None] + P * 0, F, Q),
    "align": lambda: (C.copy(), C[0].copy()), "align-view": lambda: (lambda c: (c, c[1]))(C.copy()),
    "align_each": lambda: ([C[0], C[1, :5], C[2]], [C[3], C[4, :5], C[5]]),
    "all_axes": lambda: (C.copy(),), "all_axes-none": lambda: (C[:0],),
    "all_axes-single": lambda: (C.astype("f4"),), "all_whitened": lambda: (C.copy(),),
    "all_odd": lambda: (P[:, :3, :3].copy(),),
    "columns": lambda: (P.transpose(1, 2, 0).copy(),), "columns-view": lambda: (P.T,),
}
