"""Terrain analysis of a mountain catchment on a 30 m grid."""
import heapq
import math
import sys

import numpy as np

CELL = 30.0
OFFSETS = np.array([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)])


def synthetic_dem(rows: int, cols: int, seed: int) -> np.ndarray:
    """Spectral noise with a power-law spectrum on a tilted plane, with a few peaks."""
    rng = np.random.default_rng(seed)
    ky = np.fft.fftfreq(rows)[:, None]
    kx = np.fft.fftfreq(cols)[None, :]
    k = np.sqrt(kx ** 2 + ky ** 2)
    k[0, 0] = 1.0
    phase = rng.uniform(0, 2 * np.pi, (rows, cols))
    field = np.fft.ifft2(k ** -1.9 * np.exp(1j * phase)).real
    field = (field - field.mean()) / field.std()
    y, x = np.mgrid[0:rows, 0:cols]
    dem = 900.0 + 140.0 * field + 3.0 * y + 1.2 * x
    for r, c, h, w in ((22, 30, 260.0, 9.0), (60, 58, 340.0, 12.0), (80, 20, 180.0, 7.0)):
        dem += h * np.exp(-((y - r) ** 2 + (x - c) ** 2) / (2 * w * w))
    return dem


def horn_gradient(dem: np.ndarray) -> tuple:
    z = np.pad(dem, 1, mode="edge")
    west = z[:-2, :-2] + 2 * z[1:-1, :-2] + z[2:, :-2]
    east = z[:-2, 2:] + 2 * z[1:-1, 2:] + z[2:, 2:]
    north = z[:-2, :-2] + 2 * z[:-2, 1:-1] + z[:-2, 2:]
    south = z[2:, :-2] + 2 * z[2:, 1:-1] + z[2:, 2:]
    return (east - west) / (8 * CELL), (south - north) / (8 * CELL)


def slope_aspect(gx: np.ndarray, gy: np.ndarray) -> tuple:
    slope = np.arctan(np.hypot(gx, gy))
    aspect = np.mod(np.degrees(np.arctan2(-gx, gy)), 360.0)
    return slope, aspect


def hillshade(slope, aspect, azimuth: float, altitude: float):
    zen = math.radians(90.0 - altitude)
    shade = math.cos(zen) * np.cos(slope)
    shade += math.sin(zen) * np.sin(slope) * np.cos(np.radians(azimuth - aspect))
    return np.clip(255.0 * shade, 0.0, 255.0)


def curvatures(dem):
    """Profile and plan curvature (Zevenbergen and Thorne) of the interior cells."""
    rows, cols = dem.shape
    profile = np.zeros_like(dem)
    plan = np.zeros_like(dem)
    for r in range(1, rows - 1):
        for c in range(1, cols - 1):
            zc = dem[r, c]
            d = ((dem[r, c - 1] + dem[r, c + 1]) / 2 - zc) / CELL ** 2
            e = ((dem[r - 1, c] + dem[r + 1, c]) / 2 - zc) / CELL ** 2
            f = (-dem[r - 1, c - 1] + dem[r - 1, c + 1] + dem[r + 1, c - 1] - dem[r + 1, c + 1]) / (4 * CELL ** 2)
            g = (dem[r, c + 1] - dem[r, c - 1]) / (2 * CELL)
            h = (dem[r - 1, c] - dem[r + 1, c]) / (2 * CELL)
            p = g * g + h * h
            if p < 1e-10:
                continue
            profile[r, c] = -2.0 * (d * g * g + e * h * h + f * g * h) / p
            plan[r, c] = 2.0 * (d * h * h + e * g * g - f * g * h) / p
    return profile, plan


def fill_depressions(dem, eps: float = 1e-3):
    """Priority flood from the border; flats get a gentle gradient."""
    rows, cols = dem.shape
    filled = dem.copy()
    done = np.zeros(dem.shape, dtype=bool)
    queue = []
    for r in range(rows):
        for c in range(cols):
            if r in (0, rows - 1) or c in (0, cols - 1):
                heapq.heappush(queue, (float(dem[r, c]), r, c))
                done[r, c] = True
    while queue:
        level, r, c = heapq.heappop(queue)
        for dr, dc in OFFSETS:
            rr, cc = int(r + dr), int(c + dc)
            if 0 <= rr < rows and 0 <= cc < cols and not done[rr, cc]:
                done[rr, cc] = True
                filled[rr, cc] = max(dem[rr, cc], level + eps)
                heapq.heappush(queue, (float(filled[rr, cc]), rr, cc))
    return filled


def d8_directions(dem):
    """Index of the neighbour of steepest descent, -1 where there is none."""
    rows, cols = dem.shape
    direction = np.full(dem.shape, -1, dtype=np.int64)
    drop = np.zeros(dem.shape)
    for r, c in np.ndindex(rows, cols):
        best = 0.0
        arg = -1
        for k in range(8):
            rr = r + OFFSETS[k, 0]
            cc = c + OFFSETS[k, 1]
            if rr < 0 or cc < 0 or rr >= rows or cc >= cols:
                continue
            run = CELL * 1.4142135623730951 if OFFSETS[k, 0] != 0 and OFFSETS[k, 1] != 0 else CELL
            s = (dem[r, c] - dem[rr, cc]) / run
            if s > best:
                best = s
                arg = k
        direction[r, c] = arg
        drop[r, c] = best
    return direction, drop


def flow_accumulation(dem, direction):
    """Cells draining through each cell, worked from the highest cell down, and longest flow path."""
    acc = np.ones(dem.shape)
    length = np.zeros(dem.shape)
    cols = dem.shape[1]
    for cell in np.argsort(-dem, axis=None, kind="stable"):
        r, c = divmod(int(cell), cols)
        k = direction[r, c]
        if k < 0:
            continue
        rr, cc = r + OFFSETS[k, 0], c + OFFSETS[k, 1]
        acc[rr, cc] += acc[r, c]
        step = CELL * math.hypot(OFFSETS[k, 0], OFFSETS[k, 1])
        length[rr, cc] = max(length[rr, cc], length[r, c] + step)
    return acc, length


def viewshed(dem, row: int, col: int, height: float, reach: int):
    """Cells whose line of sight from the observer is not blocked."""
    rows, cols = dem.shape
    eye = dem[row, col] + height
    seen = np.zeros(dem.shape, dtype=bool)
    for r in range(max(0, row - reach), min(rows, row + reach + 1)):
        for c in range(max(0, col - reach), min(cols, col + reach + 1)):
            dist = math.sqrt((r - row) ** 2 + (c - col) ** 2)
            if dist > reach:
                continue
            if dist < 1.5:
                seen[r, c] = True
                continue
            steps = max(abs(r - row), abs(c - col))
            target = (dem[r, c] - eye) / (dist * CELL)
            clear = True
            k = 1
            while clear and k < steps:
                y = row + (r - row) * k / steps
                x = col + (c - col) * k / steps
                i, j = min(int(y), rows - 2), min(int(x), cols - 2)
                fy, fx = y - i, x - j
                z = ((1 - fy) * ((1 - fx) * dem[i, j] + fx * dem[i, j + 1])
                     + fy * ((1 - fx) * dem[i + 1, j] + fx * dem[i + 1, j + 1]))
                if (z - eye) / (dist * CELL * k / steps) > target:
                    clear = False
                k += 1
            seen[r, c] = clear
    return seen


def cast_shadow(dem, altitude: float, from_west: bool):
    """Shadow of a sun due west or east: running maximum of height above the sloping ray."""
    run = np.arange(dem.shape[1]) * CELL * math.tan(math.radians(altitude))
    if from_west:
        ray = dem + run
        return ray < np.maximum.accumulate(ray, axis=1) - 1e-9
    ray = (dem - run)[:, ::-1]
    return (ray < np.maximum.accumulate(ray, axis=1) - 1e-9)[:, ::-1]


def day_insolation(dem, slope, aspect):
    """Relative direct radiation over a day, with shadows cast near sunrise and sunset."""
    total = np.zeros_like(dem)
    for hour in range(6, 19):
        alt = 58.0 * math.sin(math.pi * (hour - 5) / 14)
        azi = 90.0 + 180.0 * (hour - 6) / 12
        beam = hillshade(slope, aspect, azi, alt) / 255.0
        if hour < 9 or hour > 15:
            beam = np.where(cast_shadow(dem, alt, hour > 12), 0.0, beam)
        total += beam * 0.7 ** (1.0 / math.sin(math.radians(alt)))
    return total


def hypsometry(dem, bins: int = 30):
    hist, edges = np.histogram(dem, bins=bins)
    above = 1.0 - np.cumsum(hist) / dem.size
    relative = (dem - dem.min()) / (dem.max() - dem.min())
    return hist, edges, above, relative.mean()


def aspect_rose(aspect, slope):
    """Mean slope by eight aspect sectors."""
    sector = ((aspect + 22.5) // 45).astype(int) % 8
    weight = np.bincount(sector.ravel(), weights=slope.ravel(), minlength=8)
    return weight / np.bincount(sector.ravel(), minlength=8)


def main(out: str) -> None:
    dem = synthetic_dem(96, 84, 19)
    gx, gy = horn_gradient(dem)
    slope, aspect = slope_aspect(gx, gy)
    shades = [w * hillshade(slope, aspect, a, 45.0) for a, w in ((225, 0.1), (270, 0.4), (315, 0.4), (360, 0.1))]
    shade = np.sum(shades, axis=0)
    profile, plan = curvatures(dem)
    filled = fill_depressions(dem)
    direction, drop = d8_directions(filled)
    acc, length = flow_accumulation(filled, direction)
    twi = np.log(acc * CELL / np.maximum(np.tan(slope), 1e-3))
    power = np.log1p(acc * CELL * np.tan(slope))
    seen = viewshed(dem, 60, 56, 12.0, 26)
    sun = day_insolation(dem, slope, aspect)
    hist, edges, above, integral = hypsometry(dem)
    rose = aspect_rose(aspect, slope)
    channel = acc > 120
    np.savez(out, slope=slope, aspect=aspect, shade=shade, profile=profile, plan=plan, filled=filled,
             direction=direction, drop=drop, acc=acc, length=length, twi=twi, power=power, seen=seen, sun=sun,
             hist=hist, edges=edges, above=above, rose=rose)
    print(f"relief {dem.max() - dem.min():.3f} m, mean slope {np.degrees(slope.mean()):.4f} deg")
    print(f"filled cells {(filled > dem).sum()}, volume {((filled - dem).sum() * CELL ** 2):.1f} m3")
    print(f"largest catchment {acc.max():.0f} cells, longest path {length.max():.2f} m, channel cells {channel.sum()}")
    print(f"visible {seen.sum()}, hypsometric integral {integral:.6f}, mean sun {sun.mean():.6f}")


if __name__ == "__main__":
    main(sys.argv[1])
