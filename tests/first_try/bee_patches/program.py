"""Bumblebees foraging among flower patches: each bee keeps a crop load, a memory of its best patch,
and flies to flowers by scent and distance. Nectar refills between bouts."""
import sys

import numpy as np


class Meadow:
    def __init__(self, nflowers, size, rng):
        self.size = size
        centres = rng.uniform(0.15 * size, 0.85 * size, (9, 2))
        which = rng.integers(0, 9, nflowers)
        self.xy = np.clip(centres[which] + rng.normal(0, 0.05 * size, (nflowers, 2)), 0, size)
        self.patch = which
        self.capacity = rng.gamma(4.0, 0.25, nflowers)
        self.nectar = self.capacity.copy()
        self.visits = np.zeros(nflowers, dtype=np.int64)

    def refill(self, rate):
        self.nectar += rate * (self.capacity - self.nectar)
        np.minimum(self.nectar, self.capacity, out=self.nectar)

    def patch_totals(self):
        total = np.zeros(9)
        np.add.at(total, self.patch, self.nectar)
        return total


class Colony:
    crop_size = 2.5

    def __init__(self, nbees, meadow, rng):
        self.meadow = meadow
        self.nest = np.array([0.5 * meadow.size, 0.06 * meadow.size])
        self.pos = np.tile(self.nest, (nbees, 1))
        self.load = np.zeros(nbees)
        self.delivered = np.zeros(nbees)
        self.memory = rng.uniform(0, meadow.size, (nbees, 2))
        self.best = np.zeros(nbees)
        self.flown = np.zeros(nbees)
        self.target = np.zeros(nbees, dtype=np.int64)

    def choose(self, bias):
        """Most attractive flower for each bee: nectar against distance, with some private taste."""
        m = self.meadow
        nb, nf = self.load.size, m.nectar.size
        for b in range(nb):
            top = -1e300
            pick = 0
            for f in range(nf):
                dx = m.xy[f, 0] - self.pos[b, 0]
                dy = m.xy[f, 1] - self.pos[b, 1]
                ex = m.xy[f, 0] - self.memory[b, 0]
                ey = m.xy[f, 1] - self.memory[b, 1]
                score = m.nectar[f] - 0.02 * np.sqrt(dx * dx + dy * dy) - 0.004 * np.sqrt(ex * ex + ey * ey)
                score += bias[(b * 31 + f * 17) % bias.size]
                if score > top:
                    top = score
                    pick = f
            self.target[b] = pick

    def drink(self):
        """Bees arrive in order; a later bee finds what the earlier ones left."""
        m = self.meadow
        gained = np.zeros(self.load.size)
        for b in range(self.load.size):
            f = self.target[b]
            sip = min(0.8 * m.nectar[f], self.crop_size - self.load[b])
            m.nectar[f] -= sip
            self.load[b] += sip
            m.visits[f] += 1
            gained[b] = sip
        return gained

    def move(self, gained):
        goal = self.meadow.xy[self.target]
        self.flown += np.linalg.norm(goal - self.pos, axis=1)
        self.pos = goal.copy()
        better = gained > self.best
        self.memory[better] = goal[better]
        self.best = np.where(better, gained, 0.97 * self.best)

    def unload(self):
        full = self.load > 0.85 * self.crop_size
        self.delivered[full] += self.load[full]
        self.flown[full] += np.hypot(*(self.pos[full] - self.nest).T)
        self.load[full] = 0.0
        self.pos[full] = self.nest
        return full.sum()


def crowding(pos, radius):
    """Mean number of nest-mates within the radius."""
    d = pos[:, None, :] - pos[None, :, :]
    near = (d ** 2).sum(axis=2) < radius ** 2
    return (near.sum() - len(pos)) / len(pos)


def visit_entropy(visits, patch):
    share = np.bincount(patch, weights=visits, minlength=9)
    p = share / share.sum()
    p = p[p > 0]
    return -np.sum(p * np.log(p)), share


def season(nbees=60, nflowers=140, bouts=8, seed=99):
    rng = np.random.default_rng(seed)
    meadow = Meadow(nflowers, 100.0, rng)
    colony = Colony(nbees, meadow, rng)
    for bout in range(bouts):
        bias = rng.normal(0.0, 0.15, 1009)
        colony.choose(bias)
        gained = colony.drink()
        colony.move(gained)
        crowd = crowding(colony.pos, 4.0)
        returned = colony.unload()
        meadow.refill(0.12)
        yield bout, gained.sum(), returned, crowd, meadow.patch_totals(), colony


def main():
    log = []
    patches = []
    for bout, gain, returned, crowd, totals, colony in season():
        log.append((gain, returned, crowd))
        patches.append(totals)
        if bout % 4 == 3:
            print(f"bout {bout + 1:2d}: nectar {gain:.8f}, {returned} bees home, crowding {crowd:.4f}")
    entropy, share = visit_entropy(colony.meadow.visits, colony.meadow.patch)
    print(f"patch entropy {entropy:.8f}, flown {colony.flown.sum():.6f} m")
    np.savez(sys.argv[1], log=np.array(log, dtype=float), patches=np.array(patches), share=share,
             delivered=colony.delivered, flown=colony.flown, memory=colony.memory,
             nectar=colony.meadow.nectar, visits=colony.meadow.visits, target=colony.target)


if __name__ == "__main__":
    main()
