# Rainfall from a C-band weather radar: quality control of the sweeps, attenuation, rain rate, gridding,
# motion of the field, accumulation, comparison with gauges.
import sys

import numpy as np
from scipy import ndimage

N_AZ, N_GATE = 180, 120
GATE = 1.0                       # km
SHAPE = (N_AZ, N_GATE)
N_GRID = 64
CELL = 3.0                       # km
N_SWEEP = 6
MINUTES = 5.0
ZR = {"stratiform": (200.0, 1.6), "convective": (300.0, 1.4)}


def truth(x, y, minute, cells):
    """Reflectivity factor (mm^6 m^-3) of moving Gaussian cells on a stratiform background."""
    z = 60.0 + 55.0 * np.sin(x / 31.0 - minute / 40.0) * np.cos(y / 43.0 + minute / 55.0)
    for x0, y0, u, v, peak, width in cells:
        dx = x - (x0 + u * minute)
        dy = y - (y0 + v * minute)
        z = z + 10.0 ** (peak / 10.0) * np.exp(-(dx ** 2 + dy ** 2) / (2.0 * width ** 2))
    return np.maximum(z, 1.0)


def make_sweeps(rng):
    az = np.radians((np.arange(N_AZ) + 0.5) * 360.0 / N_AZ)
    rng_km = (np.arange(N_GATE) + 0.5) * GATE
    x = rng_km[None, :] * np.sin(az)[:, None]
    y = rng_km[None, :] * np.cos(az)[:, None]
    cells = [(rng.uniform(-70, 50), rng.uniform(-70, 60), 0.62, 0.38, rng.uniform(38, 50), rng.uniform(4, 9))
             for _ in range(14)]
    clutter = np.zeros(SHAPE)
    clutter[rng.integers(0, N_AZ, 60), rng.integers(0, 35, 60)] = rng.uniform(45.0, 60.0, 60)
    sweeps = []
    for s in range(N_SWEEP):
        z = truth(x, y, s * MINUTES, cells)
        k = 2.0 * 2.9e-5 * z ** 0.78 * GATE       # two-way loss in each gate, dB
        loss = np.cumsum(k, axis=1)
        dbz = 10.0 * np.log10(z) - loss + rng.normal(0.0, 0.8, SHAPE)
        sweeps.append(np.maximum(dbz, clutter))
    return x, y, sweeps


def texture(dbz):
    """Mean squared difference to the neighbours along the ray and across rays (rays wrap around)."""
    t = np.zeros_like(dbz)
    t[:, 1:-1] = (dbz[:, 1:-1] - dbz[:, :-2]) ** 2 + (dbz[:, 1:-1] - dbz[:, 2:]) ** 2
    t += (dbz - np.roll(dbz, 1, axis=0)) ** 2 + (dbz - np.roll(dbz, -1, axis=0)) ** 2
    t[:, 1:-1] /= 4.0
    t[:, [0, -1]] /= 2.0
    return t


def remove_clutter(dbz, limit=150.0):
    """Replace speckles of high texture by the median of their surroundings."""
    wrapped = np.concatenate([dbz[-2:], dbz, dbz[:2]])
    smooth = ndimage.median_filter(wrapped, size=5, mode="nearest")[2:-2]
    bad = (texture(dbz) > limit) & (dbz > smooth + 12.0)
    return np.where(bad, smooth, dbz), bad


def correct_attenuation(dbz, limit=12.0):
    """Gate by gate: the loss found so far is added before the next gate's own loss is computed."""
    out = np.empty_like(dbz)
    pia = np.zeros(dbz.shape[0])
    for g in range(dbz.shape[1]):
        corrected = dbz[:, g] + pia
        k = 2.0 * 2.9e-5 * 10.0 ** (0.078 * np.minimum(corrected, 52.0)) * GATE
        pia = np.minimum(pia + k, limit)
        out[:, g] = corrected + 0.5 * k
    return out, pia


def to_grid(polar):
    """Nearest polar bin with linear weights in range, on the square grid; NaN outside the sweep."""
    c = (np.arange(N_GRID) - N_GRID / 2 + 0.5) * CELL
    gx, gy = np.meshgrid(c, c)
    r = np.hypot(gx, gy)
    az = np.mod(np.degrees(np.arctan2(gx, gy)), 360.0)
    ia = (az * N_AZ / 360.0).astype(int) % N_AZ
    g = r / GATE - 0.5
    g0 = np.clip(np.floor(g).astype(int), 0, N_GATE - 2)
    w = np.clip(g - g0, 0.0, 1.0)
    field = (1.0 - w) * polar[ia, g0] + w * polar[ia, g0 + 1]
    return np.where(r < 95.0, field, np.nan)


def convective(dbz, radius=4):
    """Steiner-type separation: peaks above a background-dependent excess, or any pixel above 42 dBZ."""
    ny, nx = dbz.shape
    flag = np.zeros((ny, nx), dtype=np.int8)
    for i in range(ny):
        for j in range(nx):
            if np.isnan(dbz[i, j]):
                continue
            total = 0.0
            count = 0
            for di in range(-radius, radius + 1, 2):
                for dj in range(-radius, radius + 1, 2):
                    ii = i + di
                    jj = j + dj
                    if 0 <= ii < ny and 0 <= jj < nx and not np.isnan(dbz[ii, jj]):
                        total += dbz[ii, jj]
                        count += 1
            background = total / count
            if background < 0.0:
                excess = 10.0
            elif background < 42.43:
                excess = 10.0 - background ** 2 / 180.0
            else:
                excess = 0.0
            if dbz[i, j] > 42.0 or dbz[i, j] - background > excess:
                flag[i, j] = 1
    return flag


def rain_rate(dbz, flag):
    """mm/h with a Z-R relation for either type; hail is capped, drizzle cut."""
    z = 10.0 ** (np.minimum(dbz, 53.0) / 10.0)
    a, b = ZR["stratiform"]
    rate = (z / a) ** (1.0 / b)
    a, b = ZR["convective"]
    rate = np.where(flag == 1, (z / a) ** (1.0 / b), rate)
    rate[rate < 0.1] = 0.0
    return np.nan_to_num(rate)


def displacement(first, second):
    """Whole-field motion in cells by phase correlation, with a parabola through the peak."""
    window = np.hanning(N_GRID)[:, None] * np.hanning(N_GRID)[None, :]
    fa = np.fft.fft2(np.sqrt(first) * window)
    fb = np.fft.fft2(np.sqrt(second) * window)
    cross = fb * np.conj(fa)
    f = np.fft.fftfreq(N_GRID)
    low = np.exp(-60.0 * (f[:, None] ** 2 + f[None, :] ** 2))
    surface = np.fft.ifft2(cross / (np.abs(cross) + 1e-3) * low).real
    iy, ix = np.unravel_index(np.argmax(surface), surface.shape)
    shift = []
    for line, k in ((surface[:, ix], iy), (surface[iy], ix)):
        a, b, c = line[k - 1], line[k], line[(k + 1) % N_GRID]
        d = k + 0.5 * (a - c) / (a - 2.0 * b + c)
        shift.append(d - N_GRID if d > N_GRID / 2 else d)
    return shift


def accumulate(rates, shifts, steps=5):
    """Rain depth (mm) with the field advected between sweeps instead of jumping."""
    total = np.zeros((N_GRID, N_GRID))
    yy, xx = np.mgrid[0:N_GRID, 0:N_GRID].astype(float)
    for (now, then), (dy, dx) in zip(zip(rates[:-1], rates[1:]), shifts):
        for s in range(steps):
            f = (s + 0.5) / steps
            forward = ndimage.map_coordinates(now, [yy - f * dy, xx - f * dx], order=1, mode="nearest")
            back = ndimage.map_coordinates(then, [yy + (1 - f) * dy, xx + (1 - f) * dx], order=1, mode="nearest")
            total += ((1.0 - f) * forward + f * back) * MINUTES / 60.0 / steps
    return total


def adjust_to_gauges(total, gauges, depth, length=40.0):
    """Spread log ratios of gauge to radar by Gaussian weights; far from gauges the mean bias holds."""
    ratios = np.log((depth + 0.05) / (total[gauges[:, 0], gauges[:, 1]] + 0.05))
    mean = np.median(ratios)
    jj, ii = np.meshgrid(np.arange(N_GRID), np.arange(N_GRID))
    weight = np.full(total.shape, 0.15)
    sums = weight * mean
    for (gi, gj), ratio in zip(gauges, ratios):
        w = np.exp(-((ii - gi) ** 2 + (jj - gj) ** 2) * CELL ** 2 / (2.0 * length ** 2))
        weight += w
        sums += w * ratio
    return total * np.exp(sums / weight), mean


rng = np.random.default_rng(1957)
x, y, sweeps = make_sweeps(rng)
grids, flags, rates, losses, n_bad = [], [], [], [], []
for number, sweep in enumerate(sweeps):
    clean, bad = remove_clutter(sweep)
    fixed, pia = correct_attenuation(clean)
    grid = to_grid(fixed)
    flag = convective(grid) if number % 3 == 0 else flags[-1]
    grids.append(grid)
    flags.append(flag)
    rates.append(rain_rate(grid, flag))
    losses.append(pia)
    n_bad.append(int(bad.sum()))

shifts = [displacement(a, b) for a, b in zip(rates[:-1], rates[1:])]
total = accumulate(rates, shifts)
gauges = rng.integers(14, 50, (15, 2))
depth = total[gauges[:, 0], gauges[:, 1]] * rng.lognormal(0.25, 0.2, 15)
adjusted, bias = adjust_to_gauges(total, gauges, depth)
labels, n_cells = ndimage.label(adjusted > 3.0)
areas = np.sort(np.bincount(labels.ravel())[1:]) * CELL ** 2

print("speckles removed:", n_bad)
print("largest path attenuation %.4f dB" % max(p.max() for p in losses))
print("motion (cells per sweep): %s" % " ".join("%.3f/%.3f" % tuple(s) for s in shifts))
print("total before and after gauges: %.4f %.4f mm" % (total.mean(), adjusted.mean()))
print("cells above 3 mm: %d, largest %.0f km2" % (n_cells, areas.max()))
np.savez(sys.argv[1], grids=np.array(grids), flags=np.array(flags), rates=np.array(rates), losses=np.array(losses),
         shifts=np.array(shifts), total=total, adjusted=adjusted, areas=areas, bias=bias)
