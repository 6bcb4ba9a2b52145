# Individual-tree growth of a mixed forest stand: distance-dependent competition, height and diameter
# growth, light below the canopy, mortality, thinning and yield over seventy years.
import sys
from dataclasses import dataclass

import numpy as np

SPECIES = ("spruce", "beech", "pine")
# potential dbh growth cm/yr, dbh scale, shade tolerance, max height, form factor, survival base
TRAITS = np.array([[0.62, 38.0, 0.70, 44.0, 0.46, 0.9955],
                   [0.48, 42.0, 0.90, 38.0, 0.48, 0.9970],
                   [0.55, 34.0, 0.30, 36.0, 0.44, 0.9945]])
PLOT = 140.0


@dataclass
class Removal:
    year: int
    trees: int
    volume: float
    mean_dbh: float


class Stand:
    """All trees of the plot in parallel arrays."""

    def __init__(self, rng, count):
        self.rng = rng
        self.xy = rng.uniform(0.0, PLOT, (count, 2))
        self.species = rng.choice(3, count, p=[0.5, 0.3, 0.2])
        self.dbh = 6.0 + 5.0 * rng.random(count)
        self.age = np.full(count, 20)
        self.height = self.height_curve()
        self.removals = []
        self.dead = 0

    def trait(self, k):
        return TRAITS[self.species, k]

    def height_curve(self):
        return 1.3 + (self.trait(3) - 1.3) * (1.0 - np.exp(-0.042 * self.dbh)) ** 1.2

    def crown_radius(self):
        return 0.6 + 0.072 * self.dbh * (0.8 + 0.4 * self.trait(2))

    def volume(self):
        return np.pi / 4.0 * (self.dbh / 100.0) ** 2 * self.height * self.trait(4)

    def keep(self, mask):
        for name in ("xy", "species", "dbh", "age", "height"):
            setattr(self, name, getattr(self, name)[mask])

    def distances(self):
        """Pairwise distances on the torus of the plot."""
        d = self.xy[:, None, :] - self.xy[None, :, :]
        d = d - PLOT * np.round(d / PLOT)
        return np.sqrt((d**2).sum(axis=2))

    def competition(self, reach=11.0):
        """Hegyi index of size over distance, and overlap of taller crowns, for each tree."""
        dist = self.distances()
        near = (dist < reach) & (dist > 0.0)
        ratio = self.dbh[None, :] / self.dbh[:, None]
        hegyi = np.where(near, ratio / (dist + 1.0), 0.0).sum(axis=1)
        r = self.crown_radius()
        gap = r[:, None] + r[None, :] - dist
        taller = self.height[None, :] > self.height[:, None]
        shade = np.where(near & taller & (gap > 0.0), gap / (2.0 * r[:, None]), 0.0).sum(axis=1)
        return hegyi, shade

    def grow(self, years):
        hegyi, shade = self.competition()
        light = np.exp(-(0.9 - 0.55 * self.trait(2)) * shade)
        crowd = 1.0 / (1.0 + 0.13 * hegyi * (1.3 - self.trait(2)))
        for _ in range(years):
            potential = self.trait(0) * np.exp(-((self.dbh / self.trait(1) - 0.45) ** 2))
            step = potential * light * crowd
            self.dbh = self.dbh + step
            target = self.height_curve()
            self.height = self.height + 0.25 * (target - self.height) * (0.4 + 0.6 * light)
            self.age = self.age + 1
        self.vigour = step / self.trait(0)

    def die(self, years):
        """Random deaths whose chance grows as vigour falls; windthrow of tall slender trees."""
        survival = self.trait(5) - 0.035 * np.exp(-9.0 * self.vigour)
        slender = self.height / self.dbh
        survival = survival - 0.004 / (1.0 + np.exp(-(slender - 1.05) * 14.0))
        alive = self.rng.random(len(self.dbh)) < survival**years
        self.dead += int(np.count_nonzero(~alive))
        self.keep(alive)

    def regenerate(self, cells=24):
        """Seedlings in the plot cells with the least basal area, of the commonest species nearby."""
        ij = np.minimum((self.xy / (PLOT / cells)).astype(np.int64), cells - 1)
        cell = ij[:, 0] * cells + ij[:, 1]
        basal = np.bincount(cell, weights=np.pi / 4.0 * (self.dbh / 100.0) ** 2, minlength=cells * cells)
        shares = np.bincount(self.species, weights=self.dbh, minlength=3)
        open_cells = np.flatnonzero(basal < 0.012)
        n = len(open_cells)
        born = self.rng.random(n) < 0.35
        spot = open_cells[born]
        xy = (np.stack([spot // cells, spot % cells], axis=1) + self.rng.random((n, 2))[born]) * (PLOT / cells)
        species = np.searchsorted(np.cumsum(shares / shares.sum())[:-1], self.rng.random(n)[born])
        self.xy = np.concatenate([self.xy, xy])
        self.species = np.concatenate([self.species, species])
        self.dbh = np.concatenate([self.dbh, np.full(len(spot), 5.0)])
        self.age = np.concatenate([self.age, np.full(len(spot), 8)])
        self.height = np.concatenate([self.height, np.full(len(spot), 4.5)])

    def thin(self, year, target):
        """Frees the best trees: takes away the strongest rival of each until the basal area fits."""
        basal = np.pi / 4.0 * (self.dbh / 100.0) ** 2
        excess = float(basal.sum()) - target * PLOT**2 / 1e4
        if excess <= 0.0:
            return
        dbh = self.dbh.tolist()
        dist = self.distances().tolist()
        elite = sorted(range(len(dbh)), key=lambda i: (-dbh[i], i))[:110]
        spared, gone = set(elite), set()
        for i in elite:
            rivals = [(dbh[j] / (1.0 + dist[i][j]), j) for j in range(len(dbh))
                      if j not in spared and j not in gone and dist[i][j] < 9.0]
            if not rivals:
                continue
            j = max(rivals)[1]
            gone.add(j)
            excess -= np.pi / 4.0 * (dbh[j] / 100.0) ** 2
            if excess <= 0.0:
                break
        cut = np.zeros(len(dbh), dtype=bool)
        cut[list(gone)] = True
        if gone:
            self.removals.append(Removal(year, len(gone), float(self.volume()[cut].sum()),
                                         float(self.dbh[cut].mean())))
        self.keep(~cut)

    def summary(self):
        """Trees, basal area, volume, top height (hundred thickest) and species shares, per hectare."""
        area = PLOT**2 / 1e4
        basal = np.pi / 4.0 * (self.dbh / 100.0) ** 2
        thick = np.argsort(-self.dbh, kind="stable")[:int(100 * area)]
        shares = np.bincount(self.species, weights=basal, minlength=3) / basal.sum()
        return np.concatenate([[len(self.dbh) / area, basal.sum() / area, self.volume().sum() / area,
                                self.height[thick].mean()], shares])


def pair_correlation(dist, width=1.0, bins=15):
    """Density of neighbours by distance, over that of a random pattern."""
    n = len(dist)
    counts, edges = np.histogram(dist[dist > 0.0], bins=bins, range=(0.0, width * bins))
    ring = np.pi * (edges[1:] ** 2 - edges[:-1] ** 2)
    return counts / (n * (n - 1) / PLOT**2 * ring)


def main():
    stand = Stand(np.random.default_rng(1795), 1200)
    rows = [stand.summary()]
    for period in range(14):
        stand.grow(5)
        stand.die(5)
        if period % 4 == 2:
            stand.thin(5 * (period + 1), 17.0)
        if period % 2:
            stand.regenerate()
        rows.append(stand.summary())
    table = np.stack(rows)
    g = pair_correlation(stand.distances())
    for r in stand.removals:
        print(f"year {r.year}: {r.trees} trees cut, {r.volume:.2f} m3, mean dbh {r.mean_dbh:.2f} cm")
    print(f"{len(stand.dbh)} trees left, {stand.dead} died, volume {table[-1, 2]:.2f} m3/ha, top {table[-1, 3]:.2f} m")
    print(f"pair correlation at 2 m {g[2]:.4f}, at 10 m {g[10]:.4f}")
    np.savez(sys.argv[1], table=table, g=g, dbh=np.sort(stand.dbh), height=np.sort(stand.height))


if __name__ == "__main__":
    main()
