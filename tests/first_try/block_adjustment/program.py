"""Photogrammetric block: projection residuals, Huber weights and a reduced-camera bundle adjustment."""
import sys
import numpy as np

from dataclasses import dataclass


@dataclass
class Camera:
    focal: float = 3200.0
    k1: float = -0.03
    k2: float = 0.004


@dataclass
class Observations:
    cam: np.ndarray
    pt: np.ndarray
    xy: np.ndarray


def rotation(w):
    """Rodrigues formula for a stack of rotation vectors."""
    angle = np.sqrt(np.sum(w * w, axis=1)) + 1e-15
    a = w / angle[:, None]
    K = np.zeros((len(w), 3, 3))
    K[:, 0, 1], K[:, 0, 2] = -a[:, 2], a[:, 1]
    K[:, 1, 0], K[:, 1, 2] = a[:, 2], -a[:, 0]
    K[:, 2, 0], K[:, 2, 1] = -a[:, 1], a[:, 0]
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * K + (1.0 - c) * (K @ K)


def project(R, C, X, obs_cam, obs_pt, cam):
    """Image coordinates of every observation with radial distortion."""
    n = len(obs_cam)
    uv = np.empty((n, 2))
    for o in range(n):
        i, j = obs_cam[o], obs_pt[o]
        d0 = X[j, 0] - C[i, 0]
        d1 = X[j, 1] - C[i, 1]
        d2 = X[j, 2] - C[i, 2]
        p0 = R[i, 0, 0] * d0 + R[i, 0, 1] * d1 + R[i, 0, 2] * d2
        p1 = R[i, 1, 0] * d0 + R[i, 1, 1] * d1 + R[i, 1, 2] * d2
        p2 = R[i, 2, 0] * d0 + R[i, 2, 1] * d1 + R[i, 2, 2] * d2
        x, y = p0 / p2, p1 / p2
        r2 = x * x + y * y
        scale = cam.focal * (1.0 + cam.k1 * r2 + cam.k2 * r2 * r2)
        uv[o, 0] = scale * x
        uv[o, 1] = scale * y
    return uv


def jacobians(R, C, X, obs, cam):
    """Undistorted-model derivatives: 2x6 by camera (rotation, centre), 2x3 by point."""
    Ro = R[obs.cam]
    P = np.einsum("nab,nb->na", Ro, X[obs.pt] - C[obs.cam])
    iz = 1.0 / P[:, 2]
    D = np.zeros((len(P), 2, 3))
    D[:, 0, 0] = D[:, 1, 1] = cam.focal * iz
    D[:, 0, 2] = -cam.focal * P[:, 0] * iz * iz
    D[:, 1, 2] = -cam.focal * P[:, 1] * iz * iz
    S = np.zeros((len(P), 3, 3))
    S[:, 0, 1], S[:, 0, 2] = P[:, 2], -P[:, 1]
    S[:, 1, 0], S[:, 1, 2] = -P[:, 2], P[:, 0]
    S[:, 2, 0], S[:, 2, 1] = P[:, 1], -P[:, 0]
    A = D @ Ro
    return np.concatenate([D @ S, -A], axis=2), A


def huber(res, limit):
    size = np.hypot(res[:, 0], res[:, 1])
    return np.where(size <= limit, 1.0, limit / np.maximum(size, 1e-12))


def reduced_system(Ja, Jb, res, w, obs, ncam, npt, fixed, ridge):
    """Eliminate the points: Schur complement on the cameras."""
    U = np.zeros((ncam, 6, 6))
    V = np.zeros((npt, 3, 3))
    W = np.zeros((ncam, npt, 6, 3))
    ga, gb = np.zeros((ncam, 6)), np.zeros((npt, 3))
    wJa, wJb = w[:, None, None] * Ja, w[:, None, None] * Jb
    np.add.at(U, obs.cam, np.swapaxes(wJa, 1, 2) @ Ja)
    np.add.at(V, obs.pt, np.swapaxes(wJb, 1, 2) @ Jb)
    np.add.at(ga, obs.cam, np.einsum("nij,ni->nj", wJa, res))
    np.add.at(gb, obs.pt, np.einsum("nij,ni->nj", wJb, res))
    W[obs.cam, obs.pt] = np.swapaxes(wJa, 1, 2) @ Jb
    Vi = np.linalg.inv(V + ridge * np.eye(3))
    Y = np.einsum("cpij,pjk->cpik", W, Vi)
    S = -np.einsum("cpik,dpjk->cidj", Y, W)
    i = np.arange(ncam)
    S[i, :, i, :] += U
    g = ga - np.einsum("cpik,pk->ci", Y, gb)
    S = S.reshape(6 * ncam, 6 * ncam)
    S[np.arange(6 * ncam), np.arange(6 * ncam)] += 1e-3
    keep = np.arange(6 * fixed, 6 * ncam)
    da = np.zeros(6 * ncam)
    da[keep] = np.linalg.solve(S[np.ix_(keep, keep)], g.ravel()[keep])
    da = da.reshape(ncam, 6)
    db = np.einsum("pij,pj->pi", Vi, gb - np.einsum("cpij,ci->pj", W, da))
    return da, db


def rotate_by(R, dw):
    return rotation(dw) @ R


def adjust(R, C, X, obs, cam, limit, sweeps):
    history = []
    for s in range(sweeps):
        res = obs.xy - project(R, C, X, obs.cam, obs.pt, cam)
        w = huber(res, limit)
        history.append(float(np.sqrt(np.mean(w * np.sum(res ** 2, axis=1)))))
        Ja, Jb = jacobians(R, C, X, obs, cam)
        da, db = reduced_system(Ja, Jb, res, w, obs, len(C), len(X), 2, 1e-3)
        R = rotate_by(R, da[:, :3])
        C = C + da[:, 3:]
        X = X + db
    return R, C, X, history


def residual_summary(res, obs, ncam):
    """Root mean square, largest residual and its observation, per image."""
    rms = np.zeros(ncam)
    worst = np.full(ncam, -1)
    for c in range(ncam):
        total, n, top = 0.0, 0, -1.0
        for o in range(len(obs.cam)):
            if obs.cam[o] == c:
                e = res[o, 0] ** 2 + res[o, 1] ** 2
                total += e
                n += 1
                if e > top:
                    top, worst[c] = e, o
        rms[c] = np.sqrt(total / max(n, 1))
    return rms, worst


def make_block(rng, nside, npt, cam):
    gx, gy = np.meshgrid(np.arange(nside) * 60.0, np.arange(nside - 1) * 80.0, indexing="ij")
    C = np.stack([gx.ravel(), gy.ravel(), 150.0 + rng.normal(0, 3, gx.size)], axis=1)
    flip = np.diag([1.0, -1.0, -1.0])
    R = rotation(0.03 * rng.standard_normal((len(C), 3))) @ flip
    X = np.column_stack([rng.uniform(-30, 60 * nside - 30, npt), rng.uniform(-30, 80 * nside - 50, npt),
                         8.0 * rng.random(npt)])
    near = np.hypot(X[None, :, 0] - C[:, None, 0], X[None, :, 1] - C[:, None, 1]) < 105.0
    cams, pts = np.nonzero(near & (near.sum(axis=0) >= 3))
    xy = project(R, C, X, cams, pts, cam) + 0.5 * rng.standard_normal((len(cams), 2))
    bad = rng.random(len(cams)) < 0.02
    xy[bad] += rng.normal(0, 25.0, (int(bad.sum()), 2))
    return R, C, X, Observations(cams, pts, xy)


if __name__ == "__main__":
    rng = np.random.default_rng(1851)
    cam = Camera()
    R, C, X, obs = make_block(rng, 4, 260, cam)
    R0 = rotate_by(R, np.vstack([np.zeros((2, 3)), 0.004 * rng.standard_normal((len(C) - 2, 3))]))
    C0 = C + np.vstack([np.zeros((2, 3)), 0.4 * rng.standard_normal((len(C) - 2, 3))])
    X0 = X + 0.5 * rng.standard_normal(X.shape)
    R1, C1, X1, history = adjust(R0, C0, X0, obs, cam, 2.0, 8)
    res = obs.xy - project(R1, C1, X1, obs.cam, obs.pt, cam)
    rms, worst = residual_summary(res, obs, len(C))
    seen = np.bincount(obs.pt, minlength=len(X)) > 0
    print(f"{len(obs.cam)} observations, {len(C)} images, {int(seen.sum())} points")
    print("weighted rms:", " ".join(f"{h:.5f}" for h in history))
    print(f"centre error {np.abs(C1 - C).max():.5f} m, point rms {np.sqrt(np.mean((X1 - X)[seen] ** 2)):.5f} m")
    np.savez(sys.argv[1], centres=C1, points=X1[seen], rotations=R1, history=np.array(history), rms=rms, worst=worst,
             residuals=res)
