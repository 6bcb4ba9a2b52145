"""Road-noise map of a small town: emission per road piece and vehicle class, point-source propagation with
air absorption, ground effect and one screening building, façade levels and exposed residents."""
import sys

import numpy as np

BANDS = np.array([63.0, 125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0])
A_WEIGHT = np.array([-26.2, -16.1, -8.6, -3.2, 0.0, 1.2, 1.0])
ABSORB = np.array([0.1, 0.4, 1.0, 1.9, 3.7, 9.7, 32.8]) / 1000.0

VEHICLES = {
    "light": dict(a=[79.7, 85.7, 84.5, 90.2, 97.3, 93.9, 84.1], b=[30.0, 41.5, 38.9, 25.7, 32.5, 37.2, 39.0], share=0.90),
    "medium": dict(a=[84.0, 88.7, 91.5, 96.7, 97.4, 90.9, 83.8], b=[30.0, 35.8, 32.6, 23.8, 30.1, 36.2, 38.3], share=0.07),
    "heavy": dict(a=[87.0, 91.7, 94.1, 100.7, 100.8, 94.3, 87.1], b=[30.0, 33.5, 31.3, 25.4, 31.8, 37.1, 38.6], share=0.03),
}

ROAD_TEXT = """
ring  20 20  480 30  14000 70
ring  480 30 470 380 12500 70
ring  470 380 40 390 13200 60
ring  40 390 20 20   11000 60
main  20 200 480 230 9000  50
lane  240 25 230 395 2500  30
"""


def parse_roads(text):
    roads = []
    for line in text.strip().splitlines():
        kind, *numbers = line.split()
        x0, y0, x1, y1, aadt, speed = map(float, numbers)
        roads.append((kind, x0, y0, x1, y1, aadt, speed))
    return roads


def emission(aadt, speed, hours_share):
    """Sound power level per metre in each band (dB), energy sum over vehicle classes."""
    energy = np.zeros(BANDS.size)
    for spec in VEHICLES.values():
        flow = aadt * hours_share * spec["share"]
        level = np.array(spec["a"]) + np.array(spec["b"]) * np.log10(speed / 70.0)
        energy += flow / (1000.0 * speed) * 10 ** (level / 10.0)
    return 10.0 * np.log10(energy)


def split_roads(roads, piece):
    xs, ys, lw = [], [], []
    for kind, x0, y0, x1, y1, aadt, speed in roads:
        length = np.hypot(x1 - x0, y1 - y0)
        n = int(np.ceil(length / piece))
        f = (np.arange(n) + 0.5) / n
        xs.append(x0 + f * (x1 - x0))
        ys.append(y0 + f * (y1 - y0))
        per_piece = emission(aadt, speed, 0.058) + 10.0 * np.log10(length / n)
        lw.append(np.tile(per_piece, (n, 1)))
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(lw)


def town(n, seed):
    rng = np.random.default_rng(seed)
    cx = rng.uniform(50, 450, n)
    cy = rng.uniform(50, 360, n)
    half = rng.uniform(5, 13, n)
    return np.stack([cx - half, cy - half, cx + half, cy + half], axis=1), rng.uniform(4, 14, n), rng.integers(2, 60, n)


def screened_height(xr, yr, xs, ys, boxes, heights):
    """Tallest building cut by each source-receiver line (slab test); 0 when the line is free."""
    nr, ns = len(xr), len(xs)
    tall = np.zeros((nr, ns))
    for r in range(nr):
        dx = xs - xr[r]
        dy = ys - yr[r]
        dx = np.where(np.abs(dx) < 1e-9, 1e-9, dx)
        dy = np.where(np.abs(dy) < 1e-9, 1e-9, dy)
        for (x0, y0, x1, y1), h in zip(boxes, heights):
            tx0, tx1 = (x0 - xr[r]) / dx, (x1 - xr[r]) / dx
            ty0, ty1 = (y0 - yr[r]) / dy, (y1 - yr[r]) / dy
            enter = np.maximum(np.minimum(tx0, tx1), np.minimum(ty0, ty1))
            leave = np.minimum(np.maximum(tx0, tx1), np.maximum(ty0, ty1))
            cut = (enter < leave) & (leave > 0.0) & (enter < 1.0)
            tall[r] = np.where(cut & (h > tall[r]), h, tall[r])
    return tall


def receiver_levels(xr, yr, xs, ys, lw, tall, zr=4.0, zs=0.05):
    """A-weighted level at every receiver, summed over pieces and bands."""
    nr, ns, nb = len(xr), len(xs), lw.shape[1]
    out = np.zeros(nr)
    loudest = np.zeros(nr, dtype=np.int64)
    for r in range(nr):
        total = 0.0
        peak = -1.0
        for s in range(ns):
            d2 = (xr[r] - xs[s]) ** 2 + (yr[r] - ys[s]) ** 2
            if d2 > 160000.0:
                continue
            dist = np.sqrt(d2 + (zr - zs) ** 2)
            spread = 20.0 * np.log10(dist) + 8.0
            ground = max(0.0, 4.8 - (zr + zs) / dist * (17.0 + 300.0 / dist)) if dist > 30.0 else 0.0
            part = 0.0
            for b in range(nb):
                loss = spread + ABSORB[b] * dist
                if tall[r, s] > 0.0:
                    detour = 0.5 * tall[r, s] ** 2 / (0.5 * dist)
                    loss += min(10.0 * np.log10(3.0 + 40.0 * BANDS[b] / 340.0 * detour), 25.0)
                else:
                    loss += ground
                part += 10.0 ** ((lw[s, b] + A_WEIGHT[b] - loss) / 10.0)
            total += part
            if part > peak:
                peak = part
                loudest[r] = s
        out[r] = 10.0 * np.log10(total + 1e-3)
    return out, loudest


def smooth_map(level_map, passes):
    """Energy mean over the five-point star; edges keep their own value."""
    e = 10 ** (level_map / 10.0)
    for _ in range(passes):
        nxt = e.copy()
        nxt[1:-1, 1:-1] = (4 * e[1:-1, 1:-1] + e[:-2, 1:-1] + e[2:, 1:-1] + e[1:-1, :-2] + e[1:-1, 2:]) / 8.0
        e = nxt
    return 10.0 * np.log10(e)


def facade_exposure(level_map, gx, gy, boxes, people):
    step = gx[1] - gx[0]
    cx = 0.5 * (boxes[:, 0] + boxes[:, 2])
    cy = 0.5 * (boxes[:, 1] + boxes[:, 3])
    fx = np.clip((cx - gx[0]) / step, 0, len(gx) - 1.001)
    fy = np.clip((cy - gy[0]) / step, 0, len(gy) - 1.001)
    i, j = fx.astype(int), fy.astype(int)
    u, v = fx - i, fy - j
    level = ((1 - u) * (1 - v) * level_map[j, i] + u * (1 - v) * level_map[j, i + 1]
             + (1 - u) * v * level_map[j + 1, i] + u * v * level_map[j + 1, i + 1])
    classes = np.digitize(level, [50.0, 55.0, 60.0, 65.0, 70.0])
    return level, np.bincount(classes, weights=people, minlength=6)


roads = parse_roads(ROAD_TEXT)
xs, ys, lw = split_roads(roads, 26.0)
boxes, heights, people = town(30, 5)
gx = np.arange(5.0, 500.0, 33.0)
gy = np.arange(5.0, 410.0, 33.0)
rx, ry = (g.ravel() for g in np.meshgrid(gx, gy))
tall = screened_height(rx, ry, xs, ys, boxes, heights)
levels, loudest = receiver_levels(rx, ry, xs, ys, lw, tall)
noise = smooth_map(levels.reshape(gy.size, gx.size), 2)
facade, exposed = facade_exposure(noise, gx, gy, boxes, people)
order = np.argsort(facade)[::-1]
share = np.cumsum(people[order]) / people.sum()

print(f"{xs.size} road pieces, {rx.size} receivers, {np.mean(tall > 0):.4f} of lines screened")
print(f"map {noise.min():.4f} .. {noise.max():.4f} dB(A), energy mean {10 * np.log10(np.mean(10 ** (noise / 10))):.6f}")
print("residents by class", exposed.astype(int).tolist())
np.savez(sys.argv[1], levels=levels, loudest=loudest, noise=noise, facade=facade, exposed=exposed,
         share=share, screened=(tall > 0).sum(axis=1))
