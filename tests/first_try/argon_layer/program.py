# Molecular dynamics of an adsorbed argon layer (2-D Lennard-Jones, reduced units), Verlet tables from cell lists
import sys
import numpy as np

RC = 2.5
SKIN = 0.4
MAXN = 48


class Layer:
    def __init__(self, side, density, temperature, seed):
        rng = np.random.default_rng(seed)
        self.n = side * side
        self.box = np.sqrt(self.n / density)
        g = (np.arange(side) + 0.5) * self.box / side
        x, y = np.meshgrid(g, g, indexing="ij")
        self.pos = np.stack([x.ravel(), y.ravel()], axis=1) + 0.06 * rng.standard_normal((self.n, 2))
        self.pos %= self.box
        v = rng.standard_normal((self.n, 2))
        v -= v.mean(axis=0)
        self.vel = v * np.sqrt(2 * self.n * temperature / np.sum(v * v))
        self.ncell = int(self.box / (RC + SKIN))
        self.rebuilds = 0
        self.rebuild()
        self.force, self.epot, self.virial = self.forces()

    def fill_cells(self):
        """Linked lists: head of each cell, next particle of each particle."""
        c = np.floor(self.pos / self.box * self.ncell).astype(np.int64)
        np.minimum(c, self.ncell - 1, out=c)
        head = -np.ones((self.ncell, self.ncell), dtype=np.int64)
        nxt = -np.ones(self.n, dtype=np.int64)
        for i in range(self.n):
            cx, cy = c[i, 0], c[i, 1]
            nxt[i] = head[cx, cy]
            head[cx, cy] = i
        return c, head, nxt

    def rebuild(self):
        cells, head, nxt = self.fill_cells()
        self.table, self.count = neighbour_table(self.pos, cells, head, nxt, self.box, (RC + SKIN) ** 2)
        self.ref = self.pos.copy()
        self.rebuilds += 1

    def forces(self):
        valid = np.arange(MAXN)[None, :] < self.count[:, None]
        d = self.pos[:, None, :] - self.pos[self.table]
        d -= self.box * np.rint(d / self.box)
        r2 = np.sum(d * d, axis=2)
        near = valid & (r2 < RC * RC)
        inv2 = np.where(near, 1.0 / np.where(near, r2, 1.0), 0.0)
        inv6 = inv2 ** 3
        e = np.where(near, 4.0 * inv6 * (inv6 - 1.0) - 4.0 * RC ** -6.0 * (RC ** -6.0 - 1.0), 0.0)
        f = 24.0 * inv6 * (2.0 * inv6 - 1.0) * inv2
        return np.sum(f[:, :, None] * d, axis=1), 0.5 * e.sum(), 0.5 * np.sum(f * r2)

    def step(self, dt):
        self.vel += 0.5 * dt * self.force
        self.pos += dt * self.vel
        drift = self.pos - self.ref
        if np.sqrt(np.max(np.sum(drift * drift, axis=1))) > 0.5 * SKIN:
            self.pos %= self.box
            self.rebuild()
        self.force, self.epot, self.virial = self.forces()
        self.vel += 0.5 * dt * self.force

    def kinetic(self):
        return 0.5 * np.sum(self.vel ** 2)


def neighbour_table(pos, cells, head, nxt, box, reach2):
    n = len(pos)
    nc = head.shape[0]
    table = np.zeros((n, MAXN), dtype=np.int64)
    count = np.zeros(n, dtype=np.int64)
    for i in range(n):
        k = 0
        for ax in range(-1, 2):
            for ay in range(-1, 2):
                j = head[(cells[i, 0] + ax) % nc, (cells[i, 1] + ay) % nc]
                while j >= 0:
                    if j != i:
                        dx = pos[i, 0] - pos[j, 0]
                        dy = pos[i, 1] - pos[j, 1]
                        dx -= box * np.rint(dx / box)
                        dy -= box * np.rint(dy / box)
                        if dx * dx + dy * dy < reach2 and k < MAXN:
                            table[i, k] = j
                            k += 1
                    j = nxt[j]
        count[i] = k
    return table, count


def pair_distribution(pos, table, count, box, dr, nbins):
    hist = np.zeros(nbins)
    for i in range(len(pos)):
        for k in range(count[i]):
            j = table[i, k]
            dx = pos[i, 0] - pos[j, 0]
            dy = pos[i, 1] - pos[j, 1]
            dx -= box * np.rint(dx / box)
            dy -= box * np.rint(dy / box)
            b = int(np.sqrt(dx * dx + dy * dy) / dr)
            if b < nbins:
                hist[b] += 1.0
    r = dr * np.arange(nbins)
    shell = np.pi * ((r + dr) ** 2 - r ** 2)
    n = len(pos)
    return hist / (n * shell * n / box ** 2)


def hexatic_order(pos, table, count, box, radius=1.6):
    d = pos[table] - pos[:, None, :]
    d -= box * np.rint(d / box)
    near = (np.arange(table.shape[1]) < count[:, None]) & (np.hypot(d[..., 0], d[..., 1]) < radius)
    psi = np.where(near, np.exp(6j * np.arctan2(d[..., 1], d[..., 0])), 0.0).sum(axis=1)
    return psi / np.maximum(near.sum(axis=1), 1)


layer = Layer(side=20, density=0.72, temperature=0.7, seed=31)
nsteps, dt = 40, 0.005
energy = np.zeros((nsteps, 2))
pressure = np.zeros(nsteps)
for s in range(nsteps):
    layer.step(dt)
    kin = layer.kinetic()
    energy[s] = kin, layer.epot
    pressure[s] = (kin + 0.5 * layer.virial) / layer.box ** 2

gr = pair_distribution(layer.pos, layer.table, layer.count, layer.box, 0.05, 50)
psi6 = hexatic_order(layer.pos, layer.table, layer.count, layer.box)
total = energy.sum(axis=1)
print(f"{layer.n} atoms, box {layer.box:.4f}, {layer.rebuilds} neighbour tables, {layer.count.mean():.4f} neighbours")
print(f"energy {total[0]:.6f} -> {total[-1]:.6f}, temperature {energy[-1, 0] / layer.n:.6f}, pressure {pressure[-1]:.6f}")
print(f"hexatic order {np.abs(psi6.mean()):.6f}, first shell at {0.05 * (np.argmax(gr) + 0.5):.3f}")
np.savez(sys.argv[1], pos=layer.pos % layer.box, vel=layer.vel, energy=energy, pressure=pressure, gr=gr,
         psi6=psi6, count=layer.count)
