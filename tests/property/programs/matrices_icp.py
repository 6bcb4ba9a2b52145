"""Rigid ICP of many scans against one model."""
import numpy as np


def best_rigid(src, dst):
    cs, cd = src.mean(axis=0), dst.mean(axis=0)
    H = (src - cs).T @ (dst - cd)
    U, S, Vt = np.linalg.svd(H)
    D = np.diag([1.0, 1.0, np.sign(np.linalg.det(Vt.T @ U.T))])
    R = Vt.T @ D @ U.T
    return R, cd - R @ cs


def nearest(src, model):
    d = ((src[:, None, :] - model[None, :, :]) ** 2).sum(axis=2)
    return model[np.argmin(d, axis=1)]


def register(scans: np.ndarray, model: np.ndarray, steps: int):
    poses = np.zeros((len(scans), 3, 4))
    for i in range(len(scans)):
        p = scans[i].copy()
        for _ in range(steps):
            q = nearest(p, model)
            R, t = best_rigid(p, q)
            p = p @ R.T + t
        R, t = best_rigid(scans[i], p)
        poses[i, :, :3] = R
        poses[i, :, 3] = t
    return poses


def main():
    rng = np.random.default_rng(5)
    model = rng.normal(size=(40, 3))
    scans = np.stack([model @ np.linalg.qr(np.eye(3) + 0.05 * rng.normal(size=(3, 3)))[0] + 0.02 for _ in range(5)])
    print(np.abs(register(scans, model, 4)).sum().round(8))


if __name__ == "__main__":
    main()
