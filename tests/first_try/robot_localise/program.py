"""Particle filter localisation, ICP scan registration and an occupancy grid."""
import sys

import numpy as np


class ParticleFilter:
    def __init__(self, n, landmarks, rng):
        self.n = n
        self.landmarks = landmarks
        self.rng = rng
        self.pose = rng.normal(0.0, 0.3, (n, 3)) + np.array([2.0, 2.0, 0.1])
        self.weight = np.full(n, 1.0 / n)
        self.resampled = 0

    def predict(self, v, omega, dt):
        noise = self.rng.normal(0.0, 0.02, (self.n, 2))
        speed = v + noise[:, 0]
        turn = omega + noise[:, 1]
        self.pose[:, 0] += speed * dt * np.cos(self.pose[:, 2])
        self.pose[:, 1] += speed * dt * np.sin(self.pose[:, 2])
        self.pose[:, 2] += turn * dt

    def update(self, ranges, sigma):
        dx = self.pose[:, 0:1] - self.landmarks[None, :, 0]
        dy = self.pose[:, 1:2] - self.landmarks[None, :, 1]
        err = np.hypot(dx, dy) - ranges
        logw = -0.5 * np.sum((err / sigma) ** 2, axis=1)
        self.weight *= np.exp(logw - logw.max())
        self.weight /= self.weight.sum()

    def effective(self):
        return 1.0 / np.sum(self.weight ** 2)

    def resample(self, offset):
        """Systematic resampling."""
        edges = np.cumsum(self.weight)
        edges /= edges[-1]
        points = (np.arange(self.n) + offset) / self.n
        index = np.minimum(np.searchsorted(edges, points), self.n - 1)
        self.pose = self.pose[index]
        self.weight = np.full(self.n, 1.0 / self.n)
        self.resampled += 1

    def estimate(self):
        return self.weight @ self.pose


def nearest(source, target):
    """Index and distance of the closest target point of each source point."""
    n = len(source)
    index = np.zeros(n, dtype=np.int64)
    dist = np.zeros(n)
    for i in range(n):
        best = 1e30
        which = 0
        for j in range(len(target)):
            dx = source[i, 0] - target[j, 0]
            dy = source[i, 1] - target[j, 1]
            d2 = dx * dx + dy * dy
            if d2 < best:
                best = d2
                which = j
        index[i] = which
        dist[i] = np.sqrt(best)
    return index, dist


def rigid_fit(a, b):
    ca, cb = a.mean(axis=0), b.mean(axis=0)
    u, _, vt = np.linalg.svd((a - ca).T @ (b - cb))
    d = np.sign(np.linalg.det(vt.T @ u.T))
    r = vt.T @ np.diag([1.0, d]) @ u.T
    return r, cb - r @ ca


def icp(source, target, steps):
    moved = source.copy()
    history = []
    for _ in range(steps):
        index, dist = nearest(moved, target)
        history.append(dist.mean())
        r, t = rigid_fit(moved, target[index])
        moved = moved @ r.T + t
    return moved, np.array(history)


def occupancy(origin, hits, shape, cell):
    """Log-odds grid: sampled free space along the beams, occupied ends."""
    grid = np.zeros(shape)
    frac = np.linspace(0.0, 0.95, 40)
    along = origin + frac[None, :, None] * (hits - origin)[:, None, :]
    ij = np.floor(along / cell).astype(int).reshape(-1, 2)
    inside = (ij >= 0).all(axis=1) & (ij[:, 0] < shape[0]) & (ij[:, 1] < shape[1])
    ij = ij[inside]
    np.add.at(grid, (ij[:, 0], ij[:, 1]), -0.125)
    end = np.floor(hits / cell).astype(int)
    np.add.at(grid, (end[:, 0], end[:, 1]), 1.5)
    return np.clip(grid, -4.0, 4.0)


def main():
    rng = np.random.default_rng(11)
    landmarks = rng.uniform(0.0, 10.0, (6, 2))
    pf = ParticleFilter(2000, landmarks, rng)
    truth = np.array([2.0, 2.0, 0.1])
    track, sizes = [], []
    for step in range(20):
        truth = truth + 0.2 * np.array([np.cos(truth[2]), np.sin(truth[2]), 0.15])
        ranges = np.hypot(*(landmarks - truth[:2]).T) + rng.normal(0.0, 0.1, 6)
        pf.predict(1.0, 0.15, 0.2)
        pf.update(ranges, 0.3)
        sizes.append(pf.effective())
        if sizes[-1] < 0.5 * pf.n:
            pf.resample(rng.random())
        track.append(pf.estimate())
    angle = np.linspace(0.0, 2.0 * np.pi, 90, endpoint=False)
    radius = 3.0 + 0.6 * np.cos(3.0 * angle) + 0.2 * np.sin(angle)
    scan = np.column_stack([5.0 + radius * np.cos(angle), 5.0 + radius * np.sin(angle)])
    c, s = np.cos(0.08), np.sin(0.08)
    other = (scan - 5.0) @ np.array([[c, -s], [s, c]]).T + 5.1
    moved, history = icp(other, scan, 6)
    grid = occupancy(np.array([5.0, 5.0]), moved, (50, 50), 0.2)
    print(f"resampled {pf.resampled} times, final error {np.linalg.norm(track[-1][:2] - truth[:2]):.6f}")
    print(f"icp residual {history[0]:.6f} to {history[-1]:.6f}, occupied {int((grid > 0).sum())}")
    np.savez(sys.argv[1], track=np.array(track), sizes=np.array(sizes), moved=moved,
             history=history, grid=grid)


if __name__ == "__main__":
    main()
