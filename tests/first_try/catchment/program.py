"""Small catchment study: terrain analysis, design storm, runoff, routing, groundwater and gauge statistics."""
import sys
from collections import namedtuple

import numpy as np
from scipy.special import gammaincc

Grid = namedtuple("Grid", "z cell")
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
DIST = [1.4142135623730951, 1.0, 1.4142135623730951, 1.0, 1.0, 1.4142135623730951, 1.0, 1.4142135623730951]


def terrain(ny, nx, cell, rng):
    y, x = np.meshgrid(np.linspace(0, 1, ny), np.linspace(0, 1, nx), indexing="ij")
    z = 120.0 * y + 60.0 * (x - 0.5) ** 2
    for k in range(1, 6):
        px, py = rng.uniform(0, 2 * np.pi, 2)
        z = z + 14.0 / k ** 1.5 * np.sin(2 * np.pi * k * x + px) * np.cos(2 * np.pi * k * y + py)
    return Grid(z + 0.02 * rng.standard_normal((ny, nx)), cell)


def slope_aspect(grid):
    """Horn's weighted differences; the border copies its neighbour."""
    z, c = grid
    dzdx = np.zeros_like(z)
    dzdy = np.zeros_like(z)
    dzdx[1:-1, 1:-1] = (z[:-2, 2:] + 2 * z[1:-1, 2:] + z[2:, 2:] - z[:-2, :-2] - 2 * z[1:-1, :-2] - z[2:, :-2]) / (8 * c)
    dzdy[1:-1, 1:-1] = (z[2:, :-2] + 2 * z[2:, 1:-1] + z[2:, 2:] - z[:-2, :-2] - 2 * z[:-2, 1:-1] - z[:-2, 2:]) / (8 * c)
    for g in (dzdx, dzdy):
        g[0], g[-1] = g[1], g[-2]
        g[:, 0], g[:, -1] = g[:, 1], g[:, -2]
    return np.sqrt(dzdx ** 2 + dzdy ** 2), np.arctan2(-dzdx, dzdy)


def flow_direction(grid):
    """Steepest of eight neighbours, -1 for pits; cells on the border drain outwards and get -2."""
    z = grid.z
    ny, nx = z.shape
    code = np.full((ny, nx), -2, dtype=np.int16)
    drop = np.zeros((ny, nx))
    for i in range(1, ny - 1):
        for j in range(1, nx - 1):
            best, pick = 0.0, -1
            for k, (di, dj) in enumerate(STEPS):
                s = (z[i, j] - z[i + di, j + dj]) / (DIST[k] * grid.cell)
                if s > best:
                    best, pick = s, k
            code[i, j] = pick
            drop[i, j] = best
    return code, drop


def accumulate(grid, code, supply):
    """Passes the supply of each cell downstream, from the highest cell to the lowest."""
    nx = grid.z.shape[1]
    total = supply.copy().ravel()
    directions = code.ravel()
    for p in np.argsort(-grid.z, axis=None, kind="stable"):
        k = directions[p]
        if k >= 0:
            di, dj = STEPS[k]
            total[p + di * nx + dj] += total[p]
    return total.reshape(grid.z.shape)


def rain_field(grid, gx, gy, depth, power=2.0):
    """Inverse-distance rain over the grid from point gauges, one field per storm hour."""
    ny, nx = grid.z.shape
    x = (np.arange(nx) + 0.5) * grid.cell
    y = (np.arange(ny) + 0.5) * grid.cell
    d2 = (x[None, :, None] - gx) ** 2 + (y[:, None, None] - gy) ** 2
    w = 1.0 / (d2 + 1.0) ** (power / 2)
    w /= w.sum(axis=-1, keepdims=True)
    return np.tensordot(depth, w, axes=([1], [2]))


def curve_number_runoff(rain, cn):
    s = 25400.0 / cn - 254.0
    cum = np.cumsum(rain, axis=0)
    above = cum - 0.2 * s
    q = np.where(above > 0, above ** 2 / (np.abs(above) + s), 0.0)
    return np.diff(q, axis=0, prepend=np.zeros((1,) + cn.shape))


def nash_unit_hydrograph(n, k, dt, length):
    t = np.arange(length + 1) * dt
    return np.diff(1.0 - gammaincc(n, t / k))


def convolve_hydrograph(excess, uh):
    """excess has one row per sub-basin."""
    nb, nt = excess.shape
    q = np.zeros((nb, nt + len(uh)))
    for b in range(nb):
        for t in range(nt + len(uh)):
            s = 0.0
            lo = max(0, t - len(uh) + 1)
            for m in range(lo, min(t, nt - 1) + 1):
                s += excess[b, m] * uh[t - m]
            q[b, t] = s
    return q


def muskingum(inflow, k, x, dt, nreach):
    """Routes one hydrograph through equal reaches in series."""
    den = 2 * k * (1 - x) + dt
    c0, c1, c2 = (dt - 2 * k * x) / den, (dt + 2 * k * x) / den, (2 * k * (1 - x) - dt) / den
    q = list(inflow)
    for _ in range(nreach):
        o = [q[0]]
        for t in range(1, len(q)):
            o.append(max(0.0, c0 * q[t] + c1 * q[t - 1] + c2 * o[-1]))
        q = o
    return np.array(q)


def water_table(ground, conductivity, recharge, cell, sweeps):
    """Steady unconfined heads by damped Jacobi sweeps, fixed at the border and capped by the surface."""
    h = ground - 5.0
    change = np.zeros(sweeps)
    ke = 2 * conductivity[1:-1, 1:-1] * conductivity[1:-1, 2:] / (conductivity[1:-1, 1:-1] + conductivity[1:-1, 2:])
    kw = 2 * conductivity[1:-1, 1:-1] * conductivity[1:-1, :-2] / (conductivity[1:-1, 1:-1] + conductivity[1:-1, :-2])
    kn = 2 * conductivity[1:-1, 1:-1] * conductivity[2:, 1:-1] / (conductivity[1:-1, 1:-1] + conductivity[2:, 1:-1])
    ks = 2 * conductivity[1:-1, 1:-1] * conductivity[:-2, 1:-1] / (conductivity[1:-1, 1:-1] + conductivity[:-2, 1:-1])
    total = ke + kw + kn + ks
    source = recharge * cell ** 2 / 20.0
    for s in range(sweeps):
        new = (ke * h[1:-1, 2:] + kw * h[1:-1, :-2] + kn * h[2:, 1:-1] + ks * h[:-2, 1:-1] + source) / total
        new = np.minimum(0.2 * h[1:-1, 1:-1] + 0.8 * new, ground[1:-1, 1:-1])
        change[s] = np.abs(new - h[1:-1, 1:-1]).max()
        h[1:-1, 1:-1] = new
    return h, change


def baseflow(q, alpha):
    """Lyne-Hollick filter, one forward pass, for every gauge."""
    ng, nt = q.shape
    base = np.zeros_like(q)
    for g in range(ng):
        quick = 0.0
        base[g, 0] = q[g, 0]
        for t in range(1, nt):
            quick = alpha * quick + 0.5 * (1 + alpha) * (q[g, t] - q[g, t - 1])
            if quick < 0.0:
                quick = 0.0
            base[g, t] = q[g, t] - min(quick, q[g, t])
    return base


def drought_spells(q, limit):
    """Longest run below the limit, the largest deficit volume of a run, and the number of runs."""
    n = q.shape[0]
    longest, volume, count = np.zeros(n, dtype=int), np.zeros(n), np.zeros(n, dtype=int)
    for g in range(n):
        run, deficit = 0, 0.0
        for t in range(q.shape[1]):
            if q[g, t] < limit[g]:
                run += 1
                deficit += limit[g] - q[g, t]
                if run == 1:
                    count[g] += 1
                longest[g] = max(longest[g], run)
                volume[g] = max(volume[g], deficit)
            else:
                run, deficit = 0, 0.0
    return longest, volume, count


def duration_and_gumbel(q, year):
    ranked = np.sort(q, axis=1)[:, ::-1]
    p = np.arange(1, q.shape[1] + 1) / (q.shape[1] + 1.0)
    at = np.stack([np.interp(np.array([0.05, 0.5, 0.95]), p, row) for row in ranked])
    maxima = q.reshape(q.shape[0], -1, year).max(axis=2)
    beta = maxima.std(axis=1, ddof=1) * np.sqrt(6) / np.pi
    return at, maxima.mean(axis=1) - 0.5772156649 * beta - beta * np.log(-np.log(1 - 1 / 50))


def main():
    rng = np.random.default_rng(1856)
    grid = terrain(90, 110, 50.0, rng)
    slope, aspect = slope_aspect(grid)
    code, drop = flow_direction(grid)
    area = accumulate(grid, code, np.full(grid.z.shape, grid.cell ** 2))
    wetness = np.log(area / grid.cell / np.maximum(slope, 1e-3))

    gx, gy = rng.uniform(0, 5500, 14), rng.uniform(0, 4500, 14)
    storm = rng.gamma(2.0, 5.0, (24, 14)) * np.exp(-((np.arange(24) - 9.0) / 5.0) ** 2)[:, None]
    rain = rain_field(grid, gx, gy, storm)
    cn = np.clip(62.0 + 0.25 * (120.0 - grid.z) + 3.0 * rng.standard_normal(grid.z.shape), 40.0, 95.0)
    excess = curve_number_runoff(rain, cn)
    basin = (np.arange(90)[:, None] // 15) * 5 + np.arange(110)[None, :] // 22
    by_basin = np.stack([np.bincount(basin.ravel(), weights=e.ravel(), minlength=30) for e in excess], axis=1)
    hydro = convolve_hydrograph(by_basin * grid.cell ** 2 / 3.6e6, nash_unit_hydrograph(3.0, 1.6, 1.0, 30))
    outlet = muskingum(hydro.sum(axis=0), 1.2, 0.2, 1.0, 4)
    heads, change = water_table(grid.z, np.exp(0.5 * rng.standard_normal(grid.z.shape)), 2e-3, grid.cell, 45)

    days = np.arange(3650)
    season = 3.0 + 1.8 * np.cos(2 * np.pi * days / 365.0 - rng.uniform(0, 1, 40)[:, None])
    flow = season * np.exp(0.4 * rng.standard_normal((40, 3650)))
    base = baseflow(flow, 0.925)
    longest, volume, spells = drought_spells(flow, np.quantile(flow, 0.25, axis=1))
    fdc, flood = duration_and_gumbel(flow, 365)

    print(f"largest contributing area {area.max() / 1e6:.4f} km2, pits {np.sum(code == -1)}, mean wetness {wetness.mean():.6f}")
    print(f"rain {rain.sum(axis=0).mean():.5f} mm, runoff {excess.sum(axis=0).mean():.5f} mm, outlet peak {outlet.max():.6f} m3/s")
    print(f"heads {heads.mean():.6f} m, last change {change[-1]:.6f}, baseflow index {base.sum() / flow.sum():.6f}")
    print(f"longest drought {longest.max()} d, runs {spells.sum()}, 50-year flood {flood.mean():.5f}")
    np.savez(sys.argv[1], slope=slope, aspect=aspect, code=code, drop=drop, area=area, wetness=wetness,
             rain=rain[::6], excess=excess.sum(axis=0), hydro=hydro, outlet=outlet, heads=heads, change=change,
             base=base[:, ::10], longest=longest, volume=volume, spells=spells, fdc=fdc, flood=flood)


if __name__ == "__main__":
    main()
