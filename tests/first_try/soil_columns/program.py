# Soil temperature and moisture under a grid of sites: implicit heat conduction with freezing-free
# Johansen conductivity, mixed-form Richards flow with Picard iterations, daily forcing, budgets.
import sys
from dataclasses import dataclass

import numpy as np

SOILS = {  # theta_r, theta_s, alpha (1/m), n, Ks (m/day), dry conductivity, quartz
    "sand": (0.045, 0.430, 4.5, 1.90, 1.200, 0.25, 0.90),
    "loam": (0.078, 0.430, 3.6, 1.56, 0.250, 0.22, 0.40),
    "silt": (0.034, 0.460, 1.6, 1.37, 0.060, 0.20, 0.10),
    "clay": (0.068, 0.380, 0.8, 1.19, 0.048, 0.18, 0.25),
}
DAY = 86400.0


@dataclass
class Grid:
    dz: np.ndarray
    z: np.ndarray
    gap: np.ndarray


def make_grid(layers=16, first=0.03, stretch=1.22):
    dz = first * stretch ** np.arange(layers)
    z = np.cumsum(dz) - 0.5 * dz
    return Grid(dz, z, np.diff(z))


def soil_map(rows, cols):
    """Texture class of each site, banded across the valley, as indices in SOILS."""
    r, c = np.meshgrid(np.arange(rows), np.arange(cols), indexing="ij")
    band = (3 * r + 2 * c) // 3 + ((r * c) % 5 == 0)
    return band.ravel() % len(SOILS)


def site_parameters(texture):
    table = np.array(list(SOILS.values()))
    return dict(zip(("tr", "ts", "alpha", "n", "ks", "kdry", "quartz"), table[texture].T))


def forcing(days, rng):
    """Air temperature, rain and potential evaporation for each day, the same for all sites."""
    t = np.arange(days)
    air = 9.0 - 11.0 * np.cos(2 * np.pi * (t - 15) / 365.0) + rng.normal(0, 2.0, days)
    wet = rng.random(days) < 0.35
    rain = np.where(wet, rng.gamma(0.8, 0.008, days), 0.0)
    demand = np.clip(0.0025 + 0.0002 * (air - 9.0), 0.0004, None)
    return air, rain, demand


def thomas(lower, diag, upper, rhs):
    """Tridiagonal solve for one column."""
    n = len(diag)
    cp, dp = np.zeros(n), np.zeros(n)
    cp[0], dp[0] = upper[0] / diag[0], rhs[0] / diag[0]
    for i in range(1, n):
        w = diag[i] - lower[i] * cp[i - 1]
        cp[i] = upper[i] / w if i < n - 1 else 0.0
        dp[i] = (rhs[i] - lower[i] * dp[i - 1]) / w
    for i in range(n - 2, -1, -1):
        dp[i] -= cp[i] * dp[i + 1]
    return dp


def retention(h, p):
    """Water content, conductivity and capacity of van Genuchten and Mualem."""
    m = 1.0 - 1.0 / p["n"]
    ah = p["alpha"] * np.maximum(-h, 1e-6)
    base = 1.0 + ah ** p["n"]
    se = base ** -m
    theta = p["tr"] + (p["ts"] - p["tr"]) * se
    k = p["ks"] * np.sqrt(se) * (1.0 - (1.0 - se ** (1.0 / m)) ** m) ** 2
    cap = (p["ts"] - p["tr"]) * m * p["n"] * p["alpha"] * ah ** (p["n"] - 1.0) * base ** (-m - 1.0)
    return theta, k, cap + 1e-7


class Column:
    def __init__(self, grid, params, cold):
        self.grid, self.p = grid, params
        self.h = -1.0 - 0.3 * grid.z
        self.temp = 8.0 - cold + 0.4 * grid.z
        self.theta = retention(self.h, params)[0]
        self.stored = self.theta @ grid.dz
        self.inflow = self.drained = 0.0

    def move_water(self, flux, dt, picard=7):
        g = self.grid
        old, h = self.theta, self.h
        for _ in range(picard):
            theta, k, cap = retention(h, self.p)
            kf = 0.5 * (k[1:] + k[:-1])
            cond = kf / g.gap
            lower, upper = np.zeros(len(h)), np.zeros(len(h))
            lower[1:], upper[:-1] = -cond, -cond
            diag = cap * g.dz / dt - lower - upper
            rhs = cap * g.dz / dt * h - (theta - old) * g.dz / dt
            rhs[0] += flux
            rhs[:-1] -= kf
            rhs[1:] += kf
            rhs[-1] -= k[-1]
            h = thomas(lower, diag, upper, rhs)
        self.h = np.minimum(h, -0.01)
        self.theta, kend, _ = retention(self.h, self.p)
        self.inflow += flux * dt
        self.drained += kend[-1] * dt

    def conductivity(self):
        solid = 7.7 ** self.p["quartz"] * 2.0 ** (1.0 - self.p["quartz"])
        sat = solid ** (1.0 - self.p["ts"]) * 0.57 ** self.p["ts"]
        kersten = np.clip(np.log10(self.theta / self.p["ts"]) + 1.0, 0.0, 1.0)
        return self.p["kdry"] + (sat - self.p["kdry"]) * kersten

    def move_heat(self, air, dt):
        g = self.grid
        lam = self.conductivity() * DAY
        heat = ((1.0 - self.p["ts"]) * 2.1e6 + self.theta * 4.18e6) * g.dz / dt
        cond = g.gap / (0.5 * g.dz[:-1] / lam[:-1] + 0.5 * g.dz[1:] / lam[1:]) / g.gap
        lower, upper = np.zeros(len(lam)), np.zeros(len(lam))
        lower[1:], upper[:-1] = -cond, -cond
        diag = heat - lower - upper
        rhs = heat * self.temp
        top = lam[0] / (0.5 * g.dz[0])
        diag[0] += top
        rhs[0] += top * air
        self.temp = thomas(lower, diag, upper, rhs)


def stress(theta, p):
    """Fraction of the potential evaporation that the top layer can give."""
    return min(max((theta - p["tr"]) / (0.6 * (p["ts"] - p["tr"])), 0.0), 1.0)


def run(columns, air, rain, demand, lapse):
    dt = 1.0
    top_t = np.empty((len(air), len(columns)))
    top_w = np.empty_like(top_t)
    for day in range(len(air)):
        for s, col in enumerate(columns):
            flux = min(rain[day], 0.5 * col.p["ks"]) - demand[day] * stress(col.theta[0], col.p)
            col.move_water(flux, dt)
            col.move_heat(air[day] - lapse[s], dt)
            top_t[day, s], top_w[day, s] = col.temp[1], col.theta[1]
    return top_t, top_w


def damping_depth(columns, grid, profile_range):
    """Depth at which the yearly range falls to 1/e of the top, by a line through its logarithm."""
    lr = np.log(profile_range)
    zc = grid.z - grid.z.mean()
    slope = (lr * zc).sum(axis=1) / (zc**2).sum()
    return -1.0 / slope


def main():
    rng = np.random.default_rng(5)
    grid = make_grid()
    texture = soil_map(3, 4)
    params = site_parameters(texture)
    lapse = 0.5 * rng.random(len(texture)) * 6.5
    columns = [Column(grid, {k: v[s] for k, v in params.items()}, lapse[s]) for s in range(len(texture))]
    air, rain, demand = forcing(60, rng)
    top_t, top_w = run(columns, air, rain, demand, lapse)
    temp = np.array([c.temp for c in columns])
    theta = np.array([c.theta for c in columns])
    gap = [c.stored + c.inflow - c.drained - c.theta @ grid.dz for c in columns]
    depth = damping_depth(columns, grid, np.abs(temp - temp[:, -1:]) + 0.5)
    print(f"mean top temperature {top_t.mean():.4f} C, mean top moisture {top_w.mean():.4f}")
    print(f"worst budget gap {1000 * np.abs(gap).max():.2f} mm, drained {1000 * sum(c.drained for c in columns):.2f} mm")
    names = list(SOILS)
    for k in sorted(set(texture.tolist())):
        print(f"{names[k]:5s} storage {theta[texture == k].mean():.4f}")
    np.savez(sys.argv[1], temp=temp, theta=theta, top_t=top_t, top_w=top_w, depth=depth, gap=np.array(gap))


if __name__ == "__main__":
    main()
