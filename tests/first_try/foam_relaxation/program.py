"""Vertex model of a small periodic foam under stepwise simple shear: relaxation of the cell energy,
neighbour exchanges (T1) across short edges, shear stress, side statistics and texture."""
import sys
from collections import Counter, defaultdict, namedtuple

import numpy as np

Params = namedtuple("Params", "stiffness contract tension mobility t1_length")
Event = namedtuple("Event", "step sweep edge gained lost")


def honeycomb(nx, ny, rng, noise=0.05):
    """Vertices of a hexagonal tiling with noise, and the counter-clockwise vertex list of each cell."""
    box = np.array([float(nx), ny * np.sqrt(3.0) / 2])
    corner = [(np.cos(a), np.sin(a)) for a in np.pi / 6 + np.arange(6) * np.pi / 3]
    index, points, cells = {}, [], []
    for j in range(ny):
        for i in range(nx):
            ids = []
            for c, s in corner:
                x = (i + 0.5 * (j % 2) + c / np.sqrt(3.0)) % box[0]
                y = (j * np.sqrt(3.0) / 2 + s / np.sqrt(3.0)) % box[1]
                key = (round(12 * x) % (12 * nx), round(6 * y * 2 / np.sqrt(3.0)) % (6 * ny))
                if key not in index:
                    index[key] = len(points)
                    points.append((x, y))
                ids.append(index[key])
            cells.append(ids)
    xy = np.array(points)
    return xy + rng.normal(0.0, noise, xy.shape), cells, box


class Foam:
    def __init__(self, xy, cells, box, params, targets):
        self.xy = xy
        self.cells = cells
        self.box = box
        self.p = params
        self.targets = targets
        self.gamma = 0.0

    def nearest(self, d):
        """Minimum image in the sheared box."""
        ny = np.round(d[..., 1] / self.box[1])
        x = d[..., 0] - ny * self.gamma * self.box[1]
        return np.stack([x - np.round(x / self.box[0]) * self.box[0], d[..., 1] - ny * self.box[1]], axis=-1)

    def polygon(self, ids):
        """Corners of a cell, unwrapped around the first one."""
        p = self.xy[ids]
        return p[0] + self.nearest(p - p[0])

    def cell_terms(self, k):
        """Energy, area, perimeter, their gradient and the tension part of the shear stress."""
        p = self.polygon(self.cells[k])
        ahead = np.roll(p, -1, axis=0) - p
        length = np.sqrt((ahead**2).sum(axis=1))
        nxt, prv = np.roll(p, -1, axis=0), np.roll(p, 1, axis=0)
        area = 0.5 * (p[:, 0] * nxt[:, 1] - nxt[:, 0] * p[:, 1]).sum()
        perimeter = length.sum()
        grad_area = 0.5 * np.stack([nxt[:, 1] - prv[:, 1], prv[:, 0] - nxt[:, 0]], axis=1)
        unit = ahead / length[:, None]
        grad_perimeter = np.roll(unit, 1, axis=0) - unit
        excess = area - self.targets[k]
        pull = self.p.contract * perimeter + 0.5 * self.p.tension
        energy = 0.5 * self.p.stiffness * excess**2 + 0.5 * self.p.contract * perimeter**2 \
            + 0.5 * self.p.tension * perimeter
        gradient = self.p.stiffness * excess * grad_area + pull * grad_perimeter
        stress = pull * (ahead[:, 0] * ahead[:, 1] / length).sum()
        return energy, area, perimeter, gradient, stress

    def forces(self):
        force = np.zeros_like(self.xy)
        energy = stress = 0.0
        for k, ids in enumerate(self.cells):
            e, _, _, gradient, s = self.cell_terms(k)
            force[ids] -= gradient
            energy += e
            stress += s
        return force, energy, stress / self.box.prod()

    def edges(self):
        """Directed edge -> cell on its left."""
        left = {}
        for k, ids in enumerate(self.cells):
            for a, b in zip(ids, ids[1:] + ids[:1]):
                left[a, b] = k
        return left

    def exchange(self, a, b, left):
        """T1 across the edge a-b; returns the cells that gained and lost a contact, or None."""
        one, two = left[a, b], left[b, a]
        if len(self.cells[one]) < 5 or len(self.cells[two]) < 5:
            return None
        around = defaultdict(set)
        for (u, _), k in left.items():
            if u in (a, b):
                around[u].add(k)
        (start,), (stop,) = around[a] - {one, two}, around[b] - {one, two}
        if start == stop:
            return None
        d = self.nearest(self.xy[b] - self.xy[a])
        middle = self.xy[a] + 0.5 * d
        normal = np.array([-d[1], d[0]]) / np.sqrt((d**2).sum())
        self.xy[a] = middle + 0.75 * self.p.t1_length * normal
        self.xy[b] = middle - 0.75 * self.p.t1_length * normal
        self.cells[one].remove(b)
        self.cells[two].remove(a)
        self.cells[start].insert(self.cells[start].index(a), b)
        self.cells[stop].insert(self.cells[stop].index(b), a)
        return (start, stop), (one, two)

    def short_edges(self, left):
        found = []
        for a, b in left:
            if a < b:
                d = self.nearest(self.xy[b] - self.xy[a])
                length = float(np.sqrt(d @ d))
                if length < self.p.t1_length:
                    found.append((length, a, b))
        return sorted(found)

    def relax(self, step, sweeps=14):
        """Gradient descent with an exchange, shortest edge first, after every few sweeps."""
        events = []
        for sweep in range(sweeps):
            force, energy, stress = self.forces()
            self.xy += self.p.mobility * force
            if sweep % 3 == 2:
                left = self.edges()
                for _, a, b in self.short_edges(left)[:1]:
                    done = self.exchange(a, b, left)
                    if done:
                        events.append(Event(step, sweep, (a, b), *done))
        return energy, stress, events

    def shear(self, amount):
        self.xy[:, 0] += amount * self.xy[:, 1]
        self.gamma += amount

    def texture(self):
        """Mean outer product of the vectors between the centres of neighbours."""
        centres = np.array([self.polygon(ids).mean(axis=0) for ids in self.cells])
        m = np.zeros((2, 2))
        left = self.edges()
        pairs = {(k, left[b, a]) for (a, b), k in left.items() if k < left[b, a]}
        for k, l in sorted(pairs):
            d = self.nearest(centres[l] - centres[k])
            m += np.outer(d, d)
        return m / len(pairs)


def main():
    rng = np.random.default_rng(515)
    xy, cells, box = honeycomb(6, 6, rng)
    targets = np.clip(rng.normal(box.prod() / len(cells), 0.12, len(cells)), 0.4, 1.4)
    targets *= box.prod() / targets.sum()
    foam = Foam(xy, cells, box, Params(4.0, 0.12, 0.35, 0.055, 0.16), targets)
    curve, events = [], []
    for step in range(40):
        if step >= 8:
            foam.shear(0.03)
        energy, stress, new = foam.relax(step)
        events += new
        curve.append((foam.gamma, energy, stress, len(events)))
    texture = foam.texture()
    shape = np.array([foam.cell_terms(k)[1:3] for k in range(len(cells))])
    sides = Counter(len(ids) for ids in foam.cells)
    curve = np.array(curve)
    print(f"{len(cells)} cells, {len(xy)} vertices, strain {foam.gamma:.2f}, {len(events)} exchanges")
    print("sides: " + ", ".join(f"{n} x {sides[n]}" for n in sorted(sides)))
    print(f"energy {curve[0, 1]:.4f} -> {curve[-1, 1]:.4f}, largest stress {curve[:, 2].max():.5f}")
    print(f"shape index {(shape[:, 1] / np.sqrt(shape[:, 0])).mean():.4f}, area error {np.abs(shape[:, 0] - targets).max():.4f}")
    print(f"texture {texture[0, 0]:.4f} {texture[0, 1]:.4f} {texture[1, 1]:.4f}")
    np.savez(sys.argv[1], curve=curve, xy=foam.xy, shape=shape, texture=texture,
             edges=np.array([e.edge for e in events]).reshape(-1, 2), sides=np.array([len(c) for c in foam.cells]))


if __name__ == "__main__":
    main()
