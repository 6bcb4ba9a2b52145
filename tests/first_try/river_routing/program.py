# Flood routing over a drainage tree: synthetic terrain, pit filling, steepest descent, order of the
# reaches, runoff from storm cells, hillslope reservoirs and Muskingum-Cunge routing to the outlet.
import heapq
import sys
from collections import defaultdict

import numpy as np

STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def terrain(n, rng):
    y, x = np.mgrid[0:n, 0:n] / n
    z = 120.0 * y + 60.0 * np.abs(x - 0.5 - 0.1 * np.sin(5.0 * y))
    for k in range(1, 9):
        kx, ky, ph = rng.normal(0, 2.5 * k, 2).tolist() + [2 * np.pi * rng.random()]
        z += 14.0 / k * np.sin(kx * x + ky * y + ph)
    return z + 0.5 * rng.random((n, n))


def fill_pits(z):
    """Priority flood from the lower edge, with a small gradient over the flats."""
    n = len(z)
    filled = z.copy()
    done = np.zeros(z.shape, dtype=bool)
    heap = [(z[0, j], 0, j) for j in range(n)]
    for _, i, j in heap:
        done[i, j] = True
    heapq.heapify(heap)
    while heap:
        level, i, j = heapq.heappop(heap)
        for di, dj in STEPS:
            a, b = i + di, j + dj
            if 0 <= a < n and 0 <= b < n and not done[a, b]:
                filled[a, b] = max(z[a, b], level + 1e-3)
                done[a, b] = True
                heapq.heappush(heap, (filled[a, b], a, b))
    return filled


def flow_directions(z, cell):
    n = len(z)
    pad = np.pad(z, 1, constant_values=np.inf)
    drop = np.empty((8, n, n))
    for k, (di, dj) in enumerate(STEPS):
        nb = pad[1 + di:1 + di + n, 1 + dj:1 + dj + n]
        drop[k] = (z - nb) / (cell * np.hypot(di, dj))
    best = drop.argmax(axis=0)
    slope = np.take_along_axis(drop, best[None], axis=0)[0]
    step = np.array([di * n + dj for di, dj in STEPS])
    target = np.arange(n * n).reshape(n, n) + step[best]
    target[0] = -1
    return target.ravel(), np.maximum(slope.ravel(), 1e-4)


def levels_from_outlet(down):
    depth = [-1] * len(down)
    nxt = down.tolist()
    for start in range(len(nxt)):
        path = []
        i = start
        while i >= 0 and depth[i] < 0:
            path.append(i)
            i = nxt[i]
        base = depth[i] if i >= 0 else -1
        for i in reversed(path):
            base += 1
            depth[i] = base
    return depth


def accumulate(down, depth, weight):
    total = weight.copy()
    for i in np.argsort(-depth, kind="stable"):
        if down[i] >= 0:
            total[down[i]] += total[i]
    return total


def strahler(channel, down):
    above = defaultdict(list)
    for i in channel:
        if down[i] in channel:
            above[down[i]].append(i)

    def order(i):
        kids = sorted((order(k) for k in above[i]), reverse=True)
        if not kids:
            return 1
        return kids[0] + 1 if len(kids) > 1 and kids[0] == kids[1] else kids[0]

    return max(order(i) for i in channel if down[i] not in channel)


class Storm:
    def __init__(self, cells, n, rng):
        self.start = rng.uniform(0, n, (cells, 2))
        self.wind = rng.normal([0.9, 0.4], 0.2, (cells, 2))
        self.peak = rng.uniform(4.0, 18.0, cells)
        self.birth = rng.integers(0, 20, cells)
        self.n = n

    def rain(self, t):
        y, x = np.mgrid[0:self.n, 0:self.n]
        out = np.zeros((self.n, self.n))
        for c in range(len(self.peak)):
            age = t - self.birth[c]
            if age < 0 or age > 30:
                continue
            cy, cx = self.start[c] + self.wind[c] * age
            strength = self.peak[c] * np.sin(np.pi * age / 30.0)
            out += strength * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / 40.0)
        return out.ravel()


class Hillslope:
    """Two reservoirs on each cell: soil with saturation excess, groundwater with linear outflow."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.soil = 0.4 * capacity
        self.ground = np.full_like(capacity, 20.0)

    def step(self, rain, hours):
        wet = rain * hours
        share = np.clip(self.soil / self.capacity, 0.0, 1.0) ** 2.2
        quick = wet * share
        self.soil = self.soil + wet - quick
        spill = np.maximum(self.soil - self.capacity, 0.0)
        seep = 0.012 * hours * self.soil * share
        self.soil = self.soil - spill - seep
        base = 0.004 * hours * self.ground
        self.ground = self.ground + seep - base
        return quick + spill + base


def muskingum_weights(area, slope, cell, dt):
    """Cunge's coefficients for each cell from a bankfull discharge."""
    q = 0.8 * (area / 1e6) ** 0.8 + 0.02
    width = 4.0 * q**0.5
    celerity = 5.0 / 3.0 * (np.sqrt(slope) / 0.05) ** 0.6 * (q / width) ** 0.4
    k = cell / celerity
    x = np.clip(0.5 * (1.0 - q / (width * slope * celerity * cell)), 0.0, 0.45)
    denom = 2.0 * k * (1.0 - x) + dt
    return (dt - 2.0 * k * x) / denom, (dt + 2.0 * k * x) / denom, (2.0 * k * (1.0 - x) - dt) / denom


def route(down, levels, weights, inflow_old, out_old, lateral):
    c0, c1, c2 = weights
    inflow = lateral.copy()
    out = np.zeros_like(out_old)
    for cells in levels:
        out[cells] = np.maximum(c0[cells] * inflow[cells] + c1[cells] * inflow_old[cells] + c2[cells] * out_old[cells], 0.0)
        has = down[cells] >= 0
        np.add.at(inflow, down[cells[has]], out[cells[has]])
    return inflow, out


def hydrograph_marks(series, dt):
    peak, when = series.max(axis=0), series.argmax(axis=0) * dt / 3600.0
    wide = (series > 0.5 * peak).sum(axis=0) * dt / 3600.0
    return np.stack([peak, when, wide], axis=1)


def main():
    n, cell, dt = 36, 200.0, 900.0
    rng = np.random.default_rng(1342)
    z = fill_pits(terrain(n, rng))
    down, slope = flow_directions(z, cell)
    depth = np.array(levels_from_outlet(down))
    area = accumulate(down, depth, np.full(n * n, cell * cell))
    levels = [np.nonzero(depth == d)[0] for d in range(depth.max(), -1, -1)]
    weights = muskingum_weights(area, slope, cell, dt)
    channel = set(np.nonzero(area > 15.5 * cell * cell)[0].tolist())
    storm = Storm(7, n, rng)
    slopes = Hillslope(60.0 + 60.0 * rng.random(n * n))
    gauges = np.argsort(-area, kind="stable")[[0, 4, 12, 30]]
    inflow = out = np.zeros(n * n)
    series, rained, runoff = [], 0.0, 0.0
    peak_map = np.zeros(n * n)
    for t in range(96):
        rain = storm.rain(t)
        water = slopes.step(rain, dt / 3600.0)
        inflow, out = route(down, levels, weights, inflow, out, water * 1e-3 * cell * cell / dt)
        peak_map = np.maximum(peak_map, out)
        series.append(out[gauges])
        rained += rain.sum() * dt / 3600.0
        runoff += water.sum()
    series = np.array(series)
    marks = hydrograph_marks(series, dt)
    print(f"{len(levels)} levels, largest catchment {area.max() / 1e6:.2f} km2, Strahler order {strahler(channel, down.tolist())}")
    print(f"rain {rained / n**2:.3f} mm, runoff {runoff / n**2:.3f} mm")
    for g, (peak, when, wide) in zip(gauges.tolist(), marks):
        print(f"cell {g}: peak {peak:.3f} m3/s at {when:.2f} h, {wide:.2f} h above half")
    np.savez(sys.argv[1], z=z, area=area, series=series, marks=marks, peak_map=peak_map, soil=slopes.soil)


if __name__ == "__main__":
    main()
