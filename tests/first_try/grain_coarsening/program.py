"""Normal grain growth with a Fan-Chen multi-order-parameter phase field model.

A Voronoi microstructure of a few orientations coarsens on a periodic lattice; a solute
field (Cahn-Hilliard type) is dragged along by the boundaries.
"""
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Material:
    n: int = 96
    orientations: int = 8
    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 1.0
    kappa: float = 2.0
    mobility: float = 1.0
    dt: float = 0.08
    dx: float = 1.0
    steps: int = 40
    solute_mobility: float = 0.35
    segregation: float = 0.6


@dataclass
class History:
    step: list = field(default_factory=list)
    energy: list = field(default_factory=list)
    boundary: list = field(default_factory=list)

    def record(self, step, energy, boundary):
        self.step.append(step)
        self.energy.append(energy)
        self.boundary.append(boundary)

    def table(self):
        return np.array([self.step, self.energy, self.boundary], dtype=float).T


def laplacian(f, dx):
    return (np.roll(f, 1, axis=0) + np.roll(f, -1, axis=0)
            + np.roll(f, 1, axis=1) + np.roll(f, -1, axis=1) - 4.0 * f) / dx ** 2


def voronoi_start(mat, n_seeds, seed):
    """Nearest-seed tessellation, periodic, with the running minimum kept by hand."""
    rng = np.random.default_rng(seed)
    seeds = rng.uniform(0, mat.n, size=(n_seeds, 2))
    label = rng.integers(0, mat.orientations, size=n_seeds)
    i, j = np.meshgrid(np.arange(mat.n), np.arange(mat.n), indexing="ij")
    best = np.full((mat.n, mat.n), np.inf)
    owner = np.zeros((mat.n, mat.n), dtype=np.int64)
    for s, (si, sj) in enumerate(seeds):
        di = np.abs(i - si)
        dj = np.abs(j - sj)
        di = np.minimum(di, mat.n - di)
        dj = np.minimum(dj, mat.n - dj)
        d2 = di * di + dj * dj
        closer = d2 < best
        best[closer] = d2[closer]
        owner[closer] = label[s]
    etas = [np.where(owner == q, 0.95, 0.02) for q in range(mat.orientations)]
    return etas


def grow(mat, etas):
    """One explicit Allen-Cahn step for every order parameter, all from the old values."""
    total = np.zeros_like(etas[0])
    for eta in etas:
        total += eta ** 2
    fresh = []
    for eta in etas:
        others = total - eta ** 2
        drive = -mat.alpha * eta + mat.beta * eta ** 3 + 2.0 * mat.gamma * eta * others
        fresh.append(eta - mat.dt * mat.mobility * (drive - mat.kappa * laplacian(eta, mat.dx)))
    return fresh


def free_energy(mat, etas):
    total = sum(eta ** 2 for eta in etas)
    quart = sum(eta ** 4 for eta in etas)
    cross = 0.5 * (total ** 2 - quart)
    bulk = -0.5 * mat.alpha * total + 0.25 * mat.beta * quart + mat.gamma * cross
    grad = np.zeros_like(total)
    for eta in etas:
        gx = (np.roll(eta, -1, axis=0) - eta) / mat.dx
        gy = (np.roll(eta, -1, axis=1) - eta) / mat.dx
        grad += gx * gx + gy * gy
    return float(np.sum(bulk + 0.25 + 0.5 * mat.kappa * grad))


def boundary_map(etas):
    phi = np.zeros_like(etas[0])
    for eta in etas:
        phi += eta * eta
    return phi


def drag_solute(mat, c, phi):
    """Conservative transport of solute toward low phi, fluxes on the faces."""
    mu = c + mat.segregation * phi
    fx = -mat.solute_mobility * (np.roll(mu, -1, axis=0) - mu) / mat.dx
    fy = -mat.solute_mobility * (np.roll(mu, -1, axis=1) - mu) / mat.dx
    c -= mat.dt * ((fx - np.roll(fx, 1, axis=0)) + (fy - np.roll(fy, 1, axis=1))) / mat.dx


def orientation_map(etas):
    n, m = etas[0].shape
    grain = np.zeros((n, m), dtype=np.int64)
    for i in range(n):
        for j in range(m):
            q_best = 0
            for q in range(1, len(etas)):
                if etas[q][i, j] > etas[q_best][i, j]:
                    q_best = q
            grain[i, j] = q_best
    return grain


def label_grains(grain):
    """Flood fill with an explicit stack; periodic neighbours."""
    n, m = grain.shape
    ids = np.full((n, m), -1, dtype=np.int64)
    current = 0
    for i in range(n):
        for j in range(m):
            if ids[i, j] >= 0:
                continue
            q = grain[i, j]
            stack = [(i, j)]
            ids[i, j] = current
            while stack:
                a, b = stack.pop()
                for u, v in ((a - 1, b), ((a + 1) % n, b), (a, b - 1), (a, (b + 1) % m)):
                    if ids[u, v] < 0 and grain[u, v] == q:
                        ids[u, v] = current
                        stack.append((u % n, v % m))
            current += 1
    return ids


def grain_statistics(ids, c):
    area = np.bincount(ids.ravel())
    solute = np.bincount(ids.ravel(), weights=c.ravel()) / area
    radius = np.sqrt(area / np.pi)
    hist, edges = np.histogram(radius / radius.mean(), bins=10, range=(0.0, 2.5))
    return area, solute, radius, hist, edges


def main():
    out = sys.argv[1]
    mat = Material()
    etas = voronoi_start(mat, n_seeds=60, seed=8)
    c = np.full((mat.n, mat.n), 0.1)
    hist = History()
    for step in range(mat.steps):
        etas = grow(mat, etas)
        phi = boundary_map(etas)
        drag_solute(mat, c, phi)
        if step % 8 == 7:
            hist.record(step + 1, free_energy(mat, etas), float(np.mean(phi < 0.85)))

    grain = orientation_map(etas)
    ids = label_grains(grain)
    area, solute, radius, counts, edges = grain_statistics(ids, c)
    for row in hist.table():
        print(f"step {row[0]:4.0f}  energy {row[1]:12.5f}  boundary fraction {row[2]:.4f}")
    print(f"{len(area)} grains, mean radius {radius.mean():.4f}, largest {radius.max():.4f}")
    np.savez(out, phi=phi, solute=c, grain=grain, ids=ids, area=area, grain_solute=solute,
             sizes=counts, edges=edges, history=hist.table())


if __name__ == "__main__":
    main()
