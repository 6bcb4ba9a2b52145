"""Spread of an annual plant and its specialist herbivore over a patchy landscape.

Local growth is Beverton-Holt, dispersal follows a 2-D kernel, the herbivore
follows Nicholson-Bailey, and adults walk uphill in plant density.
"""
import sys

import numpy as np
from scipy import ndimage


def make_landscape(n, rng):
    """Smooth habitat quality in 0..1 with a river of no habitat."""
    rough = rng.random((n, n))
    smooth = ndimage.gaussian_filter(rough, 3.0, mode="wrap")
    quality = (smooth - smooth.min()) / (smooth.max() - smooth.min())
    rows = np.arange(n)
    river = (n // 2 + 6.0 * np.sin(2 * np.pi * rows / n)).astype(int)
    quality[rows, river] = 0.0
    quality[rows, (river + 1) % n] = 0.0
    return quality


def dispersal_kernel(reach, scale):
    y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1]
    k = np.exp(-np.hypot(x, y) / scale)
    return k / k.sum()


def model(quality, kernel, growth=2.2, attack=0.9, efficiency=0.7):
    """Returns a function that moves both populations on by a year."""
    capacity = 5.0 * quality

    def grow(plants):
        room = np.where(capacity > 0.0, capacity, 1.0)
        next_year = growth * plants / (1.0 + (growth - 1.0) * plants / room)
        return np.where(capacity > 0.0, next_year, 0.0)

    def eaten(plants, herbivores):
        share = 1.0 - np.exp(-attack * herbivores)
        return plants * share

    def year(plants, herbivores):
        losses = eaten(plants, herbivores)
        plants = grow(plants - losses)
        plants = ndimage.convolve(plants, kernel, mode="constant")
        herbivores = efficiency * losses
        herbivores = 0.7 * herbivores + 0.3 * ndimage.uniform_filter(herbivores, 5, mode="constant")
        return plants, herbivores

    return year


def years(step, plants, herbivores, count):
    for n in range(count):
        plants, herbivores = step(plants, herbivores)
        yield n, plants, herbivores


def arrival(seen, plants, year, threshold):
    """First year in which a cell held more than the threshold."""
    fresh = (seen < 0) & (plants > threshold)
    seen[fresh] = year


def walk(rows, cols, plants, moves):
    """Every walker goes to the best of the nine cells about it, independent of the others."""
    n, m = plants.shape
    for w in range(len(rows)):
        i, j = rows[w], cols[w]
        for _ in range(moves):
            best, bi, bj = plants[i, j], i, j
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    a, b = (i + di) % n, (j + dj) % m
                    if plants[a, b] > best:
                        best, bi, bj = plants[a, b], a, b
            i, j = bi, bj
        rows[w], cols[w] = i, j


def fire(plants, dryness, start):
    """Fire goes from cell to cell along a stack while the fuel lasts."""
    n, m = plants.shape
    burnt = np.zeros((n, m), dtype=bool)
    todo = [start]
    while todo:
        i, j = todo.pop()
        if burnt[i, j] or plants[i, j] * dryness[i, j] < 1.0:
            continue
        burnt[i, j] = True
        if i > 0:
            todo.append((i - 1, j))
        if i < n - 1:
            todo.append((i + 1, j))
        if j > 0:
            todo.append((i, j - 1))
        if j < m - 1:
            todo.append((i, j + 1))
    return burnt


def moran(values, weights_reach):
    """Moran's I with queen neighbours on a torus."""
    z = values - values.mean()
    total = np.zeros_like(z)
    count = 0
    for di in range(-weights_reach, weights_reach + 1):
        for dj in range(-weights_reach, weights_reach + 1):
            if di == 0 and dj == 0:
                continue
            total += z * np.roll(z, (di, dj), axis=(0, 1))
            count += 1
    return total.sum() / count / (z ** 2).sum()


def richness(plants, herbivores, side):
    """Totals on the quadrats of a survey."""
    n = plants.shape[0] // side
    table = np.zeros((n, n, 2))
    for a, b in np.ndindex(n, n):
        here = slice(a * side, (a + 1) * side), slice(b * side, (b + 1) * side)
        table[a, b, 0] = plants[here].sum()
        table[a, b, 1] = herbivores[here].sum()
    return table


def main(path):
    rng = np.random.default_rng(314)
    n = 72
    quality = make_landscape(n, rng)
    kernel = dispersal_kernel(3, 1.1)
    plants = np.zeros((n, n))
    plants[10:20, 5:25] = 2.0 * quality[10:20, 5:25]
    herbivores = np.zeros((n, n))
    herbivores[12:16, 8:12] = 0.1
    seen = np.full((n, n), -1)
    counts = []
    for year, plants, herbivores in years(model(quality, kernel), plants, herbivores, 45):
        arrival(seen, plants, year, 0.05)
        counts.append((plants.sum(), herbivores.sum()))
    counts = np.array(counts)

    rows = rng.integers(0, n, 600)
    cols = rng.integers(0, n, 600)
    walk(rows, cols, plants, 4)
    burnt = fire(plants, 0.5 + rng.random((n, n)), (15, 15))
    table = richness(plants, herbivores, 12)
    pattern = moran(plants, 1)
    occupied = np.array([ndimage.label(plants > level)[1] for level in (1.0, 2.0, 3.0)])

    np.savez(path, plants=plants, herbivores=herbivores, seen=seen, counts=counts, rows=rows,
             cols=cols, burnt=burnt, table=table, occupied=occupied)
    print(f"plants {counts[-1, 0]:.5f}, herbivores {counts[-1, 1]:.6f}")
    print(f"Moran's I {pattern:.6f}, burnt {burnt.sum()} cells, patches {occupied.tolist()}")
    print(f"reached by plants: {np.count_nonzero(seen >= 0)} cells")


if __name__ == "__main__":
    main(sys.argv[1])
