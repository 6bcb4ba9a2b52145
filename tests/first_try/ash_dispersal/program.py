# Lagrangian ash dispersal: particles released over an eruption column drift in a sheared wind field,
# diffuse, settle by size class and leave a deposit on the ground.
import sys
from dataclasses import dataclass, field

import numpy as np

CLASSES = """
# phi   density  share
 0.0    1100     0.08
 1.0    1250     0.17
 2.0    1500     0.28
 3.0    1900     0.27
 4.0    2300     0.20
"""


@dataclass
class Grid:
    nx: int = 96
    ny: int = 72
    nz: int = 18
    dx: float = 2000.0
    dz: float = 900.0
    x0: float = -20000.0
    y0: float = -72000.0


@dataclass
class Cloud:
    pos: np.ndarray
    size: np.ndarray
    density: np.ndarray
    mass: np.ndarray
    alive: np.ndarray
    grain: np.ndarray
    log: list = field(default_factory=list)


def read_classes(text):
    rows = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            phi, rho, share = map(float, line.split())
            rows.append((2.0 ** -phi * 1e-3, rho, share))
    return rows


def wind_field(grid):
    """(u, v) on the grid: a jet at 10 km, veering with height, and a meander."""
    x = grid.x0 + grid.dx * np.arange(grid.nx)
    y = grid.y0 + grid.dx * np.arange(grid.ny)
    z = grid.dz * np.arange(grid.nz)
    xx, yy, zz = np.meshgrid(x, y, z, indexing="ij")
    speed = 6.0 + 24.0 * np.exp(-((zz - 10000.0) / 3500.0) ** 2)
    turn = 0.5 - zz / 18000.0 + 0.25 * np.sin(xx / 45000.0) * np.cos(yy / 60000.0)
    return np.stack([speed * np.cos(turn), speed * np.sin(turn)], axis=-1)


def settling_speed(size, density, height):
    """Terminal velocity from the drag law of Ganser type, three fixed-point passes."""
    rho_air = 1.225 * np.exp(-height / 8400.0)
    mu = 1.79e-5 * (1.0 - 0.0000226 * height) ** 0.7
    v = np.minimum(density * 9.81 * size**2 / (18.0 * mu), 9.0)
    for _ in range(3):
        re = rho_air * v * size / mu
        cd = 24.0 / re * (1.0 + 0.15 * re**0.687) + 0.42
        v = np.sqrt(4.0 * size * 9.81 * density / (3.0 * cd * rho_air))
    return v


def release(classes, count, rng):
    size, density, mass, grain = [], [], [], []
    for number, (d, rho, share) in enumerate(classes):
        n = int(round(share * count))
        size.append(d * np.exp(0.15 * rng.standard_normal(n)))
        density.append(np.full(n, rho))
        mass.append(np.full(n, share * 4.0e10 / n))
        grain.append(np.full(n, number))
    size = np.concatenate(size)
    n = len(size)
    top = 14000.0
    height = top * rng.beta(4.0, 1.6, n)
    pos = np.empty((n, 3))
    spread = 300.0 + 0.12 * height
    pos[:, 0] = spread * rng.standard_normal(n)
    pos[:, 1] = spread * rng.standard_normal(n)
    pos[:, 2] = height
    return Cloud(pos, size, np.concatenate(density), np.concatenate(mass), np.ones(n, dtype=bool),
                 np.concatenate(grain))


def sample_wind(wind, pos, grid):
    """Trilinear interpolation, clamped at the borders."""
    f = [(pos[:, 0] - grid.x0) / grid.dx, (pos[:, 1] - grid.y0) / grid.dx, pos[:, 2] / grid.dz]
    base, frac = [], []
    for values, n in zip(f, (grid.nx, grid.ny, grid.nz)):
        values = np.clip(values, 0.0, n - 1.001)
        low = values.astype(np.int64)
        base.append(low)
        frac.append(values - low)
    out = np.zeros((len(pos), 2))
    for corner in range(8):
        weight = np.ones(len(pos))
        index = []
        for axis in range(3):
            bit = (corner >> axis) & 1
            index.append(base[axis] + bit)
            weight = weight * (frac[axis] if bit else 1.0 - frac[axis])
        out += weight[:, None] * wind[index[0], index[1], index[2]]
    return out


def advance(cloud, wind, grid, dt, rng):
    """One step of the live particles; those that reach the ground stop where they cross it."""
    live = np.flatnonzero(cloud.alive)
    pos = cloud.pos[live]
    drift = sample_wind(wind, pos, grid)
    fall = settling_speed(cloud.size[live], cloud.density[live], pos[:, 2])
    kick = rng.standard_normal((len(cloud.pos), 3))[live] * np.sqrt(2.0 * dt * np.array([800.0, 800.0, 4.0]))
    new = pos.copy()
    new[:, :2] += drift * dt
    new[:, 2] -= fall * dt
    new += kick
    landed = new[:, 2] <= 0.0
    part = np.where(landed, pos[:, 2] / np.where(landed, pos[:, 2] - new[:, 2], 1.0), 1.0)
    cloud.pos[live] = pos + part[:, None] * (new - pos)
    down = live[landed]
    cloud.alive[down] = False
    return down


def deposit(ground, cloud, down, grid):
    ix = np.floor((cloud.pos[down, 0] - grid.x0) / grid.dx).astype(np.int64)
    iy = np.floor((cloud.pos[down, 1] - grid.y0) / grid.dx).astype(np.int64)
    ok = (ix >= 0) & (ix < grid.nx) & (iy >= 0) & (iy < grid.ny)
    np.add.at(ground, (cloud.grain[down][ok], ix[ok], iy[ok]), cloud.mass[down][ok])


def deposit_statistics(ground, grid):
    """Load in kg/m2, isopach areas, mass-weighted axis and mean grain class per cell."""
    load = ground.sum(axis=0) / grid.dx**2
    areas = np.array([np.count_nonzero(load > level) * grid.dx**2 / 1e6 for level in (0.1, 0.5, 1.0, 3.0, 6.0)])
    ix, iy = np.indices(load.shape)
    total = load.sum()
    cx, cy = (load * ix).sum() / total, (load * iy).sum() / total
    cov = (load * (ix - cx) * (iy - cy)).sum() / (load * (ix - cx) ** 2).sum()
    number = np.arange(len(ground))[:, None, None]
    cell = ground.sum(axis=0)
    mean_class = np.where(cell > 0, (ground * number).sum(axis=0) / np.where(cell > 0, cell, 1.0), -1.0)
    return load, areas, np.degrees(np.arctan(cov)), mean_class


def main():
    rng = np.random.default_rng(1991)
    grid = Grid()
    wind = wind_field(grid)
    classes = read_classes(CLASSES)
    cloud = release(classes, 30000, rng)
    ground = np.zeros((len(classes), grid.nx, grid.ny))
    for step in range(48):
        down = advance(cloud, wind, grid, 150.0, rng)
        deposit(ground, cloud, down, grid)
        cloud.log.append(len(down))
    load, areas, axis, mean_class = deposit_statistics(ground, grid)
    landed = sum(cloud.log)
    print(f"landed {landed} of {len(cloud.pos)} particles, most in one step {max(cloud.log)}")
    print(f"largest load {load.max():.3f} kg/m2, axis {axis:.2f} deg")
    print("isopach areas km2: " + " ".join(f"{a:.0f}" for a in areas))
    np.savez(sys.argv[1], load=load, areas=areas, mean_class=mean_class, landed=np.array(cloud.log),
             height=cloud.pos[:, 2])


if __name__ == "__main__":
    main()
