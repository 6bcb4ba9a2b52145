# Sea ice on an Arctic-like basin: free drift with viscous smoothing, upwind transport of a thickness
# distribution with five categories, thermodynamic growth, remapping and ridging. One season, 6-hour steps.
import sys
from collections import namedtuple

import numpy as np

Grid = namedtuple("Grid", "nx ny dx mask umask vmask coriolis")
BOUNDS = np.array([0.0, 0.6, 1.4, 2.4, 3.6, 9.0])
NCAT = len(BOUNDS) - 1
DT = 6 * 3600.0
PARAMS = dict(cd_air=1.2e-3, cd_ocean=5.5e-3, rho_air=1.3, rho_water=1026.0, rho_ice=910.0,
              latent=3.34e5, conduct=2.03, snow=0.1, snow_conduct=0.31)


def make_grid(nx=160, ny=150, dx=25e3):
    x, y = np.meshgrid(np.linspace(-1, 1, nx), np.linspace(-1, 1, ny))
    r = np.hypot(x, 1.05 * y)
    theta = np.arctan2(y, x)
    coast = 0.87 + 0.06 * np.sin(3 * theta + 0.4) + 0.03 * np.cos(7 * theta)
    mask = (r < coast) & ((x + 0.35) ** 2 + (y - 0.2) ** 2 > 0.012)
    mask[0], mask[-1], mask[:, 0], mask[:, -1] = False, False, False, False
    umask = np.zeros((ny, nx + 1))
    vmask = np.zeros((ny + 1, nx))
    umask[:, 1:-1] = mask[:, 1:] & mask[:, :-1]
    vmask[1:-1] = mask[1:] & mask[:-1]
    return Grid(nx, ny, dx, mask, umask, vmask, 1.4e-4 * (1 - 0.04 * r**2))


def initial_state(grid, rng):
    """Concentration and volume per category: a mean thickness that decays towards the coast."""
    noise = rng.normal(0.0, 1.0, (grid.ny, grid.nx))
    for _ in range(8):
        noise = 0.25 * (np.roll(noise, 1, 0) + np.roll(noise, -1, 0) + np.roll(noise, 1, 1) + np.roll(noise, -1, 1))
    x, y = np.meshgrid(np.linspace(-1, 1, grid.nx), np.linspace(-1, 1, grid.ny))
    mean = np.clip(2.2 - 1.5 * (x**2 + y**2) + 1.5 * noise, 0.2, None)
    area = np.zeros((NCAT, grid.ny, grid.nx))
    volume = np.zeros_like(area)
    for k in range(NCAT):
        centre = 0.5 * (BOUNDS[k] + min(BOUNDS[k + 1], 5.0))
        area[k] = np.exp(-((centre - mean) / 0.9) ** 2)
        volume[k] = area[k] * centre
    total = area.sum(axis=0)
    cover = 0.97 - 0.25 * np.clip(x + 0.4, 0, 1) ** 2
    scale = cover / total * grid.mask
    return area * scale, volume * scale


def wind_field(grid, day):
    """Beaufort-like high plus a low that travels round the basin."""
    x, y = np.meshgrid(np.linspace(-1, 1, grid.nx), np.linspace(-1, 1, grid.ny))
    phase = 2 * np.pi * day / 9.0
    cx, cy = 0.5 * np.cos(phase), 0.5 * np.sin(phase)
    high = np.exp(-((x + 0.3) ** 2 + (y + 0.1) ** 2) / 0.35)
    low = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 0.08)
    u = 9.0 * (y + 0.1) * high - 40.0 * (y - cy) * low
    v = -9.0 * (x + 0.3) * high + 40.0 * (x - cx) * low
    return u, v


def free_drift(grid, area, volume, wind, p=PARAMS):
    """Balance of air stress, ocean drag and Coriolis force; drag linearised three times."""
    ua, va = wind
    speed = np.sqrt(ua**2 + va**2)
    tx = p["rho_air"] * p["cd_air"] * speed * ua
    ty = p["rho_air"] * p["cd_air"] * speed * va
    mf = p["rho_ice"] * volume.sum(axis=0) * grid.coriolis
    u, v = 0.02 * ua, 0.02 * va
    for _ in range(3):
        drag = p["rho_water"] * p["cd_ocean"] * np.sqrt(u**2 + v**2 + 1e-4)
        det = drag**2 + mf**2
        u, v = (drag * tx + mf * ty) / det, (drag * ty - mf * tx) / det
    strength = np.exp(-18.0 * (1.0 - np.minimum(area.sum(axis=0), 1.0)))
    return u, v, strength


def smooth_drift(grid, u, v, strength, sweeps=12):
    """Jacobi sweeps of an implicit viscosity that grows with the ice strength; no slip at the coast."""
    visc = 0.6 * strength * grid.mask
    u0, v0 = u * grid.mask, v * grid.mask
    u, v = u0.copy(), v0.copy()
    for _ in range(sweeps):
        for f, f0 in ((u, u0), (v, v0)):
            around = f[2:, 1:-1] + f[:-2, 1:-1] + f[1:-1, 2:] + f[1:-1, :-2]
            w = visc[1:-1, 1:-1]
            f[1:-1, 1:-1] = (f0[1:-1, 1:-1] + w * around) / (1 + 4 * w) * grid.mask[1:-1, 1:-1]
    uf = np.zeros((grid.ny, grid.nx + 1))
    vf = np.zeros((grid.ny + 1, grid.nx))
    uf[:, 1:-1] = 0.5 * (u[:, 1:] + u[:, :-1])
    vf[1:-1] = 0.5 * (v[1:] + v[:-1])
    return uf * grid.umask, vf * grid.vmask


def advect(grid, q, uf, vf):
    """Donor-cell transport of one field per category."""
    fx = np.zeros((grid.ny, grid.nx + 1))
    fy = np.zeros((grid.ny + 1, grid.nx))
    for k in range(NCAT):
        c = q[k]
        fx[:, 1:-1] = np.where(uf[:, 1:-1] > 0, c[:, :-1], c[:, 1:]) * uf[:, 1:-1]
        fy[1:-1] = np.where(vf[1:-1] > 0, c[:-1], c[1:]) * vf[1:-1]
        q[k] = c - DT / grid.dx * (fx[:, 1:] - fx[:, :-1] + fy[1:] - fy[:-1])


def grow(area, volume, air_temp, mask, p=PARAMS):
    """Conductive growth of each category, new ice in the open water into the first one."""
    for k in range(NCAT):
        h = np.where(area[k] > 1e-8, volume[k] / np.maximum(area[k], 1e-8), 0.0)
        resist = np.maximum(h, 0.05) / p["conduct"] + p["snow"] / p["snow_conduct"]
        flux = np.maximum(-1.8 - air_temp, -6.0) / resist - 4.0
        change = flux * DT / (p["rho_ice"] * p["latent"])
        volume[k] += np.maximum(area[k] * change, -volume[k])
    open_water = np.clip(1.0 - area.sum(axis=0), 0.0, 1.0) * mask
    rate = np.maximum(-1.8 - air_temp, 0.0) / (0.1 / p["conduct"] + 0.05)
    new = open_water * rate * DT / (p["rho_ice"] * p["latent"])
    frozen = np.minimum(open_water, new / 0.1)
    area[0] += frozen
    volume[0] += new


def remap(area, volume):
    """Moves ice that outgrew (or melted out of) its category to the neighbour."""
    for k in range(NCAT - 1):
        h = volume[k] / np.maximum(area[k], 1e-12)
        moved = np.where((h > BOUNDS[k + 1]) & (area[k] > 1e-10), 1.0, 0.0)
        for q in (area, volume):
            part = moved * q[k]
            q[k] -= part
            q[k + 1] += part
    for k in range(NCAT - 1, 0, -1):
        h = volume[k] / np.maximum(area[k], 1e-12)
        moved = np.where((h < BOUNDS[k]) & (area[k] > 1e-10), 1.0, 0.0)
        for q in (area, volume):
            part = moved * q[k]
            q[k] -= part
            q[k - 1] += part


def ridge(area, volume):
    """Where the cover exceeds one, thin ice is stacked into the thickest category."""
    excess = np.maximum(area.sum(axis=0) - 1.0, 0.0)
    for k in range(NCAT - 1):
        take = np.minimum(excess * 1.25, area[k])
        share = take / np.maximum(area[k], 1e-12) * volume[k]
        area[k] -= take
        volume[k] -= share
        area[-1] += 0.2 * take
        volume[-1] += share
        excess = np.maximum(excess - 0.8 * take, 0.0)
    return excess


def main():
    grid = make_grid()
    area, volume = initial_state(grid, np.random.default_rng(77))
    history = []
    for step in range(48):
        day = step * DT / 86400.0
        air = -22.0 - 6.0 * np.cos(2 * np.pi * day / 12.0)
        wind = wind_field(grid, day)
        u, v, strength = free_drift(grid, area, volume, wind)
        uf, vf = smooth_drift(grid, u, v, strength)
        advect(grid, area, uf, vf)
        advect(grid, volume, uf, vf)
        grow(area, volume, air, grid.mask)
        remap(area, volume)
        ridge(area, volume)
        if step % 8 == 7:
            cells = grid.dx**2
            history.append((area.sum() * cells / 1e12, volume.sum() * cells / 1e12,
                            np.sqrt((uf**2).mean() + (vf**2).mean())))
            print(f"day {day:5.2f}: area {history[-1][0]:.4f} Mkm2, volume {history[-1][1]:.4f} kkm3, "
                  f"drift {100 * history[-1][2]:.3f} cm/s")
    spread = area.sum(axis=(1, 2)) / area.sum()
    thickness = volume.sum(axis=0)
    print("share by category: " + ", ".join(f"{s:.4f}" for s in spread))
    print(f"thickest cell {thickness.max():.3f} m")
    np.savez(sys.argv[1], area=area, volume=volume, history=np.array(history), uf=uf, vf=vf, thickness=thickness)


if __name__ == "__main__":
    main()
