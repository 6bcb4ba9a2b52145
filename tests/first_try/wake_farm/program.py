"""Annual energy of an offshore wind farm with a Gaussian wake model, and a yaw controller replay."""
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Turbine:
    diameter: float = 126.0
    hub: float = 90.0
    ct: float = 0.77
    cut_in: float = 3.0
    rated_speed: float = 11.4
    cut_out: float = 25.0
    rated_power: float = 5.0e6


@dataclass
class Farm:
    turbine: Turbine
    x: np.ndarray
    y: np.ndarray
    growth: float = 0.032
    gross: dict = field(default_factory=dict)

    @property
    def size(self):
        return len(self.x)

    def rotated(self, degrees):
        """Coordinates with the wind blowing along +x; degrees is where the wind comes from."""
        a = np.deg2rad(270.0 - degrees)
        return self.x * np.cos(a) + self.y * np.sin(a), -self.x * np.sin(a) + self.y * np.cos(a)


def layout(rows, cols, spacing, rng):
    x = np.empty(rows * cols)
    y = np.empty(rows * cols)
    for r in range(rows):
        for c in range(cols):
            x[r * cols + c] = c * spacing + (r % 2) * 0.5 * spacing
            y[r * cols + c] = r * 0.85 * spacing
    x += rng.normal(0.0, 30.0, x.size)
    y += rng.normal(0.0, 30.0, y.size)
    return x, y


def deficits(xr, yr, turbine, growth):
    """Relative velocity deficit at each rotor, root-sum-square of all the upstream wakes."""
    n = len(xr)
    out = np.zeros(n)
    d = turbine.diameter
    beta = 0.5 * (1.0 + np.sqrt(1.0 - turbine.ct)) / np.sqrt(1.0 - turbine.ct)
    eps = 0.2 * np.sqrt(beta)
    for i in range(n):
        total = 0.0
        for j in range(n):
            dx = xr[i] - xr[j]
            if dx <= 1.0 * d:
                continue
            sigma = growth * dx / d + eps
            arg = 1.0 - turbine.ct / (8.0 * sigma * sigma)
            if arg < 0.0:
                arg = 0.0
            lateral = (yr[i] - yr[j]) / d
            w = (1.0 - np.sqrt(arg)) * np.exp(-0.5 * (lateral / sigma) ** 2)
            total += w * w
        out[i] = np.sqrt(total)
    return out


def power(speed, turbine):
    """Cubic below rated, constant to cut-out."""
    p = turbine.rated_power * (speed ** 3 - turbine.cut_in ** 3) / (turbine.rated_speed ** 3 - turbine.cut_in ** 3)
    p = np.minimum(p, turbine.rated_power)
    p[speed < turbine.cut_in] = 0.0
    p[speed >= turbine.cut_out] = 0.0
    return p


def weibull_weights(edges, scale, shape):
    cdf = 1.0 - np.exp(-(edges / scale) ** shape)
    return cdf[1:] - cdf[:-1]


def sector_energy(farm, degrees, speeds, weights):
    """Mean power of each turbine in one sector (W), the losses by the wakes included."""
    xr, yr = farm.rotated(degrees)
    loss = deficits(xr, yr, farm.turbine, farm.growth)
    local = speeds[:, None] * (1.0 - loss)[None, :]
    p = power(local, farm.turbine)
    farm.gross[degrees] = float((power(speeds, farm.turbine) * weights).sum()) * farm.size
    return weights @ p, loss


def flow_map(farm, degrees, speed, nx, ny):
    """Hub-height wind speed on a grid."""
    xr, yr = farm.rotated(degrees)
    d = farm.turbine.diameter
    gx = np.linspace(xr.min() - 2 * d, xr.max() + 10 * d, nx)
    gy = np.linspace(yr.min() - 4 * d, yr.max() + 4 * d, ny)
    square = np.zeros((nx, ny))
    for x0, y0 in zip(xr, yr):
        dx = np.maximum(gx - x0, 0.1 * d)[:, None] / d
        lateral = (gy - y0)[None, :] / d
        sigma = farm.growth * dx + 0.28
        core = 1.0 - np.sqrt(np.maximum(1.0 - farm.turbine.ct / (8.0 * sigma ** 2), 0.0))
        wake = core * np.exp(-0.5 * (lateral / sigma) ** 2)
        square += np.where(gx[:, None] > x0 + d, wake ** 2, 0.0)
    return speed * (1.0 - np.sqrt(square))


def yaw_replay(direction, deadband, rate):
    """Nacelle angle against the vane: starts beyond the dead band, runs until it is aligned."""
    nacelle = np.empty_like(direction)
    angle = direction[0]
    moving = False
    starts = 0
    for t in range(len(direction)):
        error = direction[t] - angle
        if moving:
            if abs(error) <= rate:
                angle = direction[t]
                moving = False
            elif error > 0:
                angle += rate
            else:
                angle -= rate
        elif abs(error) > deadband:
            moving = True
            starts += 1
        nacelle[t] = angle
    return nacelle, starts


def main(path):
    rng = np.random.default_rng(314)
    farm = Farm(Turbine(), *layout(6, 9, 882.0, rng))
    sectors = np.arange(0.0, 360.0, 30.0)
    rose = 1.0 + 0.6 * np.cos(np.deg2rad(sectors - 240.0)) + 0.1 * rng.random(sectors.size)
    rose /= rose.sum()
    edges = np.linspace(0.0, 30.0, 121)
    speeds = 0.5 * (edges[1:] + edges[:-1])
    weights = weibull_weights(edges, 10.2, 2.15)

    per_turbine = np.zeros(farm.size)
    losses = np.empty((sectors.size, farm.size))
    for s, (deg, freq) in enumerate(zip(sectors, rose)):
        mean_power, losses[s] = sector_energy(farm, float(deg), speeds, weights)
        per_turbine += freq * mean_power
    aep = per_turbine.sum() * 8766.0 / 1e9
    gross = sum(f * g for f, g in zip(rose, farm.gross.values())) * 8766.0 / 1e9
    field_map = flow_map(farm, 240.0, 9.0, 180, 120)

    wander = np.cumsum(rng.normal(0.0, 1.1, 4000))
    nacelle, starts = yaw_replay(240.0 + wander, 8.0, 0.5)
    misaligned = np.sqrt(np.mean((240.0 + wander - nacelle) ** 2))

    print(f"AEP {aep:.6f} GWh, gross {gross:.6f} GWh, wake loss {100 * (1 - aep / gross):.5f} %")
    print(f"slowest point {field_map.min():.6f} m/s, worst turbine {int(np.argmin(per_turbine))}")
    print(f"yaw starts {starts}, rms misalignment {misaligned:.6f} deg")
    np.savez(path, per_turbine=per_turbine, losses=losses, field=field_map, nacelle=nacelle)


if __name__ == "__main__":
    main(sys.argv[1])
