import numpy as np

R = np.random.default_rng(4)
A, B, C = R.normal(size=(3, 9))
WINDOWS = R.normal(size=(3, 12, 25))
CLOUDS = R.normal(size=(5, 20, 3))
T = np.linspace(0, 2, 12)
START = np.abs(R.normal(size=(4, 2))) + 0.5
Y = START[:, :1] * np.exp(-START[:, 1:] * T) + 0.01


def systems(sxx: np.ndarray, sxy: np.ndarray, syy: np.ndarray, bx: np.ndarray, by: np.ndarray):
    out = np.empty((len(sxx), 2))
    for i in range(len(sxx)):
        m = np.array([[sxx[i], sxy[i]], [sxy[i], syy[i]]])
        b = np.array([bx[i], by[i]])
        out[i] = np.linalg.solve(m, b)
    return out


def flows(gx: np.ndarray, gy: np.ndarray, gt: np.ndarray):
    v = []
    for ix, iy, it in zip(gx, gy, gt):
        a = np.sum(ix * ix)
        b = np.sum(ix * iy)
        c = np.sum(iy * iy)
        p = np.sum(ix * it)
        q = np.sum(iy * it)
        v.append(-np.linalg.inv(np.array([[a, b], [b, c]])) @ np.array([p, q]))
    return np.array(v)


def tensors(xx: np.ndarray, xy: np.ndarray, yy: np.ndarray):
    found = []
    for a, b, c in zip(xx, xy, yy):
        found.append(np.linalg.eigvalsh(np.array([[a, b], [b, c]])))
    return np.array(found)


def turned(angles: np.ndarray, points: np.ndarray):
    out = np.zeros((len(angles), *points.shape))
    for k in range(len(angles)):
        c = np.cos(angles[k])
        s = np.sin(angles[k])
        out[k] = points @ np.array([[c, -s, 0], [s, c, 0.0], [0, 0, 1]]).T
    return out


def aligned(clouds: np.ndarray, reference: np.ndarray):
    out = []
    for cloud in clouds:
        c = cloud.mean(axis=0)
        u, s, vt = np.linalg.svd((cloud - c).T @ (reference - reference.mean(axis=0)))
        d = np.linalg.det(u @ vt)
        out.append(u @ np.diag([1.0, 1.0, d]) @ vt)
    return np.stack(out)


def one_alignment(cloud: np.ndarray, reference: np.ndarray):
    u, s, vt = np.linalg.svd(cloud.T @ reference)
    d = np.sign(np.linalg.det(u @ vt))
    return u @ np.diag(np.array([1.0, 1.0, d])) @ vt


def rotation(x: np.ndarray):
    c = np.cos(np.sum(x))
    s = np.sin(np.sum(x))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ x


def unequal(x: np.ndarray):
    c = np.sum(x, axis=0)
    return np.array([1.0, c])


def steps(parameters: np.ndarray, t: np.ndarray, y: np.ndarray):
    new = parameters.copy()
    for i in range(parameters.shape[0]):
        a = parameters[i, 0]
        e = np.exp(-parameters[i, 1] * t)
        r = y[i] - a * e
        j = np.stack([e, -a * t * e], axis=1)
        new[i] = parameters[i] + np.linalg.solve(j.T @ j, j.T @ r)
    return new


def joined(clouds: np.ndarray, others: np.ndarray):
    out = []
    for a, b in zip(clouds, others):
        c = np.concatenate([a, b], axis=1)
        d = np.hstack((a, b))
        e = np.vstack([a, b])
        f = np.column_stack([a[:, 0], b[:, 1]])
        out.append(
            np.linalg.norm(c.T @ c) + np.linalg.norm(d) + np.linalg.det(e.T @ e) + f.sum()
            + np.hstack([a[:, 0], b[0]]).mean() + np.linalg.norm(np.vstack([a[0], b[0]]))
        )  # fmt: skip
    return out


def averages(clouds: np.ndarray):
    covariances = [c.T @ c for c in clouds]
    return np.mean(covariances, axis=0), np.max([c.sum() for c in clouds])


def average_of_made(clouds: np.ndarray):
    return np.mean([c.T @ c / np.trace(c.T @ c) for c in clouds], axis=0)


CASES = {
    "systems": lambda: (A * A + 1, B, C * C + 1, A, B),
    "systems-singular": lambda: (np.r_[1.0, 0], np.r_[0.0, 0], np.r_[1.0, 0], np.r_[1.0, 0], np.r_[1.0, 1]),
    "systems-mixed": lambda: ((A * A + 1).astype("f"), B, C * C + 1, A, np.arange(9)),
    "systems-integers": lambda: (np.arange(3) + 1, np.zeros(3, int), np.ones(3, int), np.arange(3), np.arange(3)),
    "systems-complex": lambda: (A * A + 1, B * 1j, C * C + 1, A, B),
    "flows": lambda: tuple(WINDOWS),
    "flows-singular": lambda: (WINDOWS[0], WINDOWS[0], WINDOWS[2]),
    "tensors": lambda: (A, B, C),
    "tensors-empty": lambda: (A[:0], B[:0], C[:0]),
    "turned": lambda: (A, CLOUDS[0]),
    "turned-float32": lambda: (A.astype("f"), CLOUDS[0].astype("f")),
    "aligned": lambda: (CLOUDS, CLOUDS[0]),
    "one_alignment": lambda: (CLOUDS[1], CLOUDS[0]),
    "one_alignment-float32": lambda: (CLOUDS[1].astype("f"), CLOUDS[0].astype("f")),
    "one_alignment-stack": lambda: (CLOUDS[:2], CLOUDS[2:4]),
    "rotation": lambda: (CLOUDS[0, :3],),
    "unequal": lambda: (CLOUDS[0],),
    "unequal-vector": lambda: (CLOUDS[0, 0],),
    "steps": lambda: (START * 1.1, T, Y),
    "joined": lambda: (CLOUDS, CLOUDS[::-1]),
    "averages": lambda: (CLOUDS,),
    "averages-none": lambda: (CLOUDS[:0],),
    "average_of_made": lambda: (CLOUDS,),
    "average_of_made-none": lambda: (CLOUDS[:0],),
}
