# Plane-based camera calibration (Zhang): a homography per view, intrinsics, pose per view, bundle refinement.
import sys
from collections import namedtuple

import numpy as np

View = namedtuple("View", "pixels pose")
TRUE = np.array([912.0, 905.0, 322.5, 241.3, -0.21, 0.07])


def board(rows=8, cols=11, pitch=0.03):
    y, x = np.mgrid[0:rows, 0:cols]
    return np.column_stack([x.ravel() * pitch, y.ravel() * pitch]).astype(float)


def rodrigues(r):
    theta = np.sqrt(r @ r)
    if theta < 1e-12:
        return np.eye(3)
    k = r / theta
    kx = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + np.sin(theta) * kx + (1 - np.cos(theta)) * kx @ kx


def rotation_vector(m):
    angle = np.arccos(np.clip((np.trace(m) - 1) / 2, -1.0, 1.0))
    w = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    return w * angle / (2 * np.sin(angle))


def project(intr, pose, points):
    fx, fy, cx, cy, k1, k2 = intr
    r = rodrigues(pose[:3])
    p = points @ r[:, :2].T + pose[3:]
    u, v = p[:, 0] / p[:, 2], p[:, 1] / p[:, 2]
    rr = u * u + v * v
    d = 1 + k1 * rr + k2 * rr ** 2
    return np.column_stack([fx * d * u + cx, fy * d * v + cy])


def normaliser(pts):
    c = pts.mean(axis=0)
    s = np.sqrt(2.0) / np.mean(np.sqrt(np.sum((pts - c) ** 2, axis=1)))
    return np.array([[s, 0, -s * c[0]], [0, s, -s * c[1]], [0, 0, 1.0]])


def homography(src, dst):
    """Normalised direct linear transform."""
    ta, tb = normaliser(src), normaliser(dst)
    a = src @ ta[:2, :2].T + ta[:2, 2]
    b = dst @ tb[:2, :2].T + tb[:2, 2]
    m = np.zeros((2 * len(a), 9))
    m[0::2, 0:2] = a
    m[0::2, 2] = 1
    m[0::2, 6:8] = -b[:, :1] * a
    m[0::2, 8] = -b[:, 0]
    m[1::2, 3:5] = a
    m[1::2, 5] = 1
    m[1::2, 6:8] = -b[:, 1:] * a
    m[1::2, 8] = -b[:, 1]
    h = np.linalg.svd(m)[2][-1].reshape(3, 3)
    h = np.linalg.inv(tb) @ h @ ta
    return h / h[2, 2]


def constraint(h, i, j):
    return np.array([h[0, i] * h[0, j], h[0, i] * h[1, j] + h[1, i] * h[0, j], h[1, i] * h[1, j],
                     h[2, i] * h[0, j] + h[0, i] * h[2, j], h[2, i] * h[1, j] + h[1, i] * h[2, j],
                     h[2, i] * h[2, j]])


def intrinsics(homs, scale=500.0):
    """Closed form from the image of the absolute conic, zero skew."""
    s = np.diag([1 / scale, 1 / scale, 1.0])
    rows = []
    for h in homs:
        g = s @ h
        rows.append(constraint(g, 0, 1))
        rows.append(constraint(g, 0, 0) - constraint(g, 1, 1))
    rows.append(np.array([0, 1.0, 0, 0, 0, 0]))
    b11, b12, b22, b13, b23, b33 = np.linalg.svd(np.array(rows))[2][-1]
    cx, cy = -b13 / b11, -b23 / b22
    lam = b33 - b13 ** 2 / b11 - b23 ** 2 / b22
    return np.array([np.sqrt(lam / b11) * scale, np.sqrt(lam / b22) * scale, cx * scale, cy * scale, 0.0, 0.0])


def initial_pose(intr, h):
    k = np.array([[intr[0], 0, intr[2]], [0, intr[1], intr[3]], [0, 0, 1.0]])
    g = np.linalg.solve(k, h)
    g = g / np.sqrt(np.linalg.norm(g[:, 0]) * np.linalg.norm(g[:, 1]))
    r = np.column_stack([g[:, 0], g[:, 1], np.cross(g[:, 0], g[:, 1])])
    u, _, vt = np.linalg.svd(r)
    return np.concatenate([rotation_vector(u @ vt), g[:, 2]])


def jacobians(intr, pose, points, eps=1e-6):
    base = np.concatenate([intr, pose])
    cols = []
    for p in range(12):
        step = eps * max(1.0, abs(base[p]))
        up, down = base.copy(), base.copy()
        up[p] += step
        down[p] -= step
        diff = project(up[:6], up[6:], points) - project(down[:6], down[6:], points)
        cols.append(diff.ravel() / (2 * step))
    j = np.stack(cols, axis=1)
    return j[:, :6], j[:, 6:]


def bundle(intr, poses, views, points, rounds=6):
    """Gauss-Newton with the poses eliminated view by view (Schur complement)."""
    history = []
    for _ in range(rounds):
        s, g, cost = np.zeros((6, 6)), np.zeros(6), 0.0
        saved = []
        for pose, view in zip(poses, views):
            r = (view.pixels - project(intr, pose, points)).ravel()
            a, b = jacobians(intr, pose, points)
            v = np.linalg.inv(b.T @ b)
            w = a.T @ b
            s += a.T @ a - w @ v @ w.T
            g += a.T @ r - w @ v @ (b.T @ r)
            cost += r @ r
            saved.append((v, w, b.T @ r))
        delta = np.linalg.solve(s, g)
        intr = intr + delta
        poses = [pose + v @ (br - w.T @ delta) for pose, (v, w, br) in zip(poses, saved)]
        history.append(np.sqrt(cost / (len(views) * len(points))))
    return intr, poses, np.array(history)


def photograph(points, count, rng):
    """Synthetic views of the board with corner noise."""
    views = []
    for _ in range(count):
        r = np.concatenate([rng.uniform(-0.5, 0.5, 2) + 0.1, rng.uniform(-0.3, 0.3, 1)])
        t = np.array([-0.15, -0.1, 0.55]) + rng.uniform(-0.05, 0.05, 3)
        pose = np.concatenate([r, t])
        views.append(View(project(TRUE, pose, points) + rng.normal(0.0, 0.15, (len(points), 2)), pose))
    return views


def main():
    rng = np.random.default_rng(1999)
    points = board()
    views = photograph(points, 40, rng)
    homs = [homography(points, v.pixels) for v in views]
    start = intrinsics(homs)
    poses = [initial_pose(start, h) for h in homs]
    intr, poses, history = bundle(start, poses, views, points)
    worst = max(float(np.abs(p - v.pose).max()) for p, v in zip(poses, views))
    print(f"closed form: fx {start[0]:.1f}, fy {start[1]:.1f}, centre ({start[2]:.1f}, {start[3]:.1f})")
    print(f"refined: fx {intr[0]:.2f}, fy {intr[1]:.2f}, k1 {intr[4]:.4f}, k2 {intr[5]:.4f}")
    print(f"rms {history[0]:.3f} to {history[-1]:.4f} pixel, worst pose error {worst:.4f}")
    np.savez(sys.argv[1], intr=intr, poses=np.array(poses), history=history, homs=np.array(homs))


if __name__ == "__main__":
    main()
