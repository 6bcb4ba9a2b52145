"""Soft discs settling in a box: linear spring-dashpot contacts with a cell list, and its statistics."""
import sys

import numpy as np


class Discs:
    gravity = -9.81
    stiffness = 2.0e4
    damping = 8.0

    def __init__(self, nx, ny, box, seed):
        rng = np.random.RandomState(seed)
        gx, gy = np.meshgrid(np.arange(nx), np.arange(ny))
        self.n = nx * ny
        self.box = box
        self.pos = np.stack([gx.ravel() + 0.6, 0.55 + 0.98 * gy.ravel()], axis=1)
        self.pos += 0.02 * rng.uniform(-1.0, 1.0, self.pos.shape)
        self.vel = 0.1 * rng.standard_normal((self.n, 2))
        self.radius = rng.uniform(0.45, 0.52, self.n)
        self.mass = np.pi * self.radius ** 2
        self.force = np.zeros((self.n, 2))

    def contacts(self):
        """Pair forces; also the number of contacts of each disc."""
        force = np.zeros((self.n, 2))
        touching = np.zeros(self.n, dtype=np.int64)
        for i in range(self.n):
            for j in range(i + 1, self.n):
                dx = self.pos[j, 0] - self.pos[i, 0]
                dy = self.pos[j, 1] - self.pos[i, 1]
                reach = self.radius[i] + self.radius[j]
                r2 = dx * dx + dy * dy
                if r2 >= reach * reach:
                    continue
                r = np.sqrt(r2)
                ux = dx / r
                uy = dy / r
                closing = (self.vel[j, 0] - self.vel[i, 0]) * ux + (self.vel[j, 1] - self.vel[i, 1]) * uy
                f = self.stiffness * (reach - r) - self.damping * closing
                force[i, 0] -= f * ux
                force[i, 1] -= f * uy
                force[j, 0] += f * ux
                force[j, 1] += f * uy
                touching[i] += 1
                touching[j] += 1
        return force, touching

    def walls(self):
        f = np.zeros_like(self.force)
        low = np.maximum(self.radius - self.pos[:, 1], 0.0)
        left = np.maximum(self.radius - self.pos[:, 0], 0.0)
        right = np.maximum(self.pos[:, 0] + self.radius - self.box, 0.0)
        f[:, 1] = self.stiffness * low - self.damping * self.vel[:, 1] * (low > 0.0)
        f[:, 0] = self.stiffness * (left - right)
        return f

    def advance(self, dt):
        self.vel += 0.5 * dt * self.force / self.mass[:, None]
        self.pos += dt * self.vel
        pair, touching = self.contacts()
        self.force = pair + self.walls()
        self.force[:, 1] += self.gravity * self.mass
        self.vel += 0.5 * dt * self.force / self.mass[:, None]
        return touching

    def energies(self):
        kinetic = 0.5 * np.sum(self.mass[:, None] * self.vel ** 2)
        height = -self.gravity * np.sum(self.mass * self.pos[:, 1])
        return kinetic, height


def cell_lists(pos, size):
    """Members of each grid cell in a dictionary."""
    cells = {}
    for i, (cx, cy) in enumerate(np.floor(pos / size).astype(int)):
        cells.setdefault((int(cx), int(cy)), []).append(i)
    return cells


def packing_profile(pos, radius, box, layers, height):
    area = np.pi * radius ** 2
    layer = np.clip((pos[:, 1] / height * layers).astype(int), 0, layers - 1)
    return np.bincount(layer, weights=area, minlength=layers) / (box * height / layers)


def pair_distribution(pos, bins, reach):
    """Histogram of distances below reach."""
    counts = np.zeros(bins, dtype=np.int64)
    n = len(pos)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = np.sqrt((pos[i, 0] - pos[j, 0]) ** 2 + (pos[i, 1] - pos[j, 1]) ** 2)
            if r < reach:
                counts[int(r / reach * bins)] += 1
    return counts


def extremes(speed):
    """Fastest disc, slowest disc and the total, in one pass."""
    fastest = 0
    slowest = 0
    total = 0.0
    for i in range(len(speed)):
        if speed[i] > speed[fastest]:
            fastest = i
        if speed[i] < speed[slowest]:
            slowest = i
        total += speed[i]
    return fastest, slowest, total


def run(discs, steps, dt):
    for step in range(steps):
        touching = discs.advance(dt)
        yield step, touching, discs.energies()


def main():
    discs = Discs(8, 10, 8.2, 23)
    steps = 30
    kinetic = np.empty(steps)
    potential = np.empty(steps)
    number = np.empty(steps)
    for step, touching, (k, p) in run(discs, steps, 5.0e-4):
        kinetic[step] = k
        potential[step] = p
        number[step] = touching.mean()
    profile = packing_profile(discs.pos, discs.radius, discs.box, 8, 10.5)
    counts = pair_distribution(discs.pos, 24, 4.0)
    cells = cell_lists(discs.pos, 1.04)
    speed = np.sqrt((discs.vel ** 2).sum(axis=1))
    fastest, slowest, total = extremes(speed)
    print(f"kinetic {kinetic[-1]:.6f}, contacts per disc {number[-1]:.4f}, occupied cells {len(cells)}")
    print(f"fastest {fastest}, slowest {slowest}, mean speed {total / discs.n:.6f}")
    np.savez(sys.argv[1], pos=discs.pos, vel=discs.vel, kinetic=kinetic, potential=potential,
             number=number, touching=touching, profile=profile, counts=counts, speed=speed)


if __name__ == "__main__":
    main()
