"""Boundary-layer campaign: Doppler lidar scans to wind profiles, turbulence statistics from the
vertical stares, low-level jets, and a column model with K-closure run for an ensemble of sites."""
from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from scipy import linalg, special

KARMAN, GRAVITY, CORIOLIS = 0.4, 9.81, 1.1e-4


class Scan(NamedTuple):
    azimuth: np.ndarray     # rad, one value per beam
    radial: np.ndarray      # (time, range, beam), m/s
    quality: np.ndarray     # carrier-to-noise ratio, dB


class Column(NamedTuple):
    u: np.ndarray
    v: np.ndarray
    theta: np.ndarray


def truth(t: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wind over time (h) and height (m): logarithmic layer, veering aloft, a nocturnal jet."""
    night = 0.5 * (1 + np.cos(2 * np.pi * (t[:, None] - 2.0) / 24))
    speed = 7.0 * np.log1p(z / 0.3) / np.log1p(300 / 0.3) * (1 - 0.3 * night)
    speed = speed + 6.5 * night * np.exp(-(((z - 260.0) / 120.0) ** 2))
    turn = np.deg2rad(215 + 0.035 * z) + 0.3 * np.sin(2 * np.pi * t[:, None] / 24)
    return speed * np.sin(turn), speed * np.cos(turn)


def measure(t: np.ndarray, z: np.ndarray, beams: int, elevation: float, rng: np.random.Generator) -> Scan:
    az = 2 * np.pi * np.arange(beams) / beams
    u, v = truth(t, z)
    radial = (u[..., None] * np.sin(az) + v[..., None] * np.cos(az)) * np.cos(elevation)
    cnr = 6.0 - 24.0 * z[None, :, None] / 1000.0 + rng.normal(0, 3.0, radial.shape)
    radial = radial + rng.normal(0, 0.35, radial.shape)
    lost = rng.uniform(size=radial.shape) < special.expit((-14.0 - cnr) / 2.0)
    return Scan(az, np.where(lost, rng.uniform(-19, 19, radial.shape), radial), cnr)


def vad(scan: Scan, elevation: float, rounds: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wind vector of every profile point by reweighted least squares on the beams."""
    nt, nz, _ = scan.radial.shape
    design = np.stack([np.sin(scan.azimuth) * np.cos(elevation), np.cos(scan.azimuth) * np.cos(elevation),
                       np.full(len(scan.azimuth), np.sin(elevation))], axis=1)
    wind, error, used = np.empty((nt, nz, 3)), np.empty((nt, nz)), np.empty((nt, nz))
    for i in range(nt):
        for k in range(nz):
            r = scan.radial[i, k]
            w = special.expit((scan.quality[i, k] + 16.0) / 2.0)
            for _ in range(rounds):
                a = design * w[:, None]
                x = np.linalg.solve(a.T @ design + 1e-9 * np.eye(3), a.T @ r)
                rest = r - design @ x
                scale = 0.3 + 0.4 * np.median(np.abs(rest))
                w = 1.0 / (1.0 + (rest / (2.5 * scale)) ** 2) ** 2
            wind[i, k], used[i, k] = x, w.sum()
            error[i, k] = np.sqrt((w * rest**2).sum() / w.sum())
    return wind, error, used


def jets(speed: np.ndarray, z: np.ndarray, contrast: float = 1.9) -> np.ndarray:
    """Lowest maximum of each profile that stands out over the minimum above: (time, height, speed)."""
    rows = []
    for i, profile in enumerate(speed.tolist()):
        nose = None
        for k in range(1, len(profile)):
            if nose is None or profile[k] > profile[nose]:
                nose = k
            elif profile[nose] - profile[k] > contrast:
                rows.append((i, z[nose], profile[nose]))
                break
    return np.array(rows).reshape(-1, 3)


def stare(n: int, gates: int, fs: float, rng: np.random.Generator) -> np.ndarray:
    """Vertical velocity with a von Karman-like spectrum, correlated between gates."""
    f = np.fft.rfftfreq(n, 1 / fs)
    amp = 1.0 / (1 + (f / 0.012) ** 2) ** (5 / 12)
    spec = amp * (rng.standard_normal((gates, len(f))) + 1j * rng.standard_normal((gates, len(f))))
    for g in range(1, gates):
        spec[g] = 0.8 * spec[g - 1] + 0.6 * spec[g]
    w = np.fft.irfft(spec, n, axis=1)
    w *= np.linspace(0.5, 1.3, gates)[:, None] / w.std(axis=1, keepdims=True)
    return w + rng.normal(0, 0.15, w.shape)


def turbulence(w: np.ndarray, fs: float, block: int, lags: int) -> dict[str, np.ndarray]:
    """Variance without noise, skewness, integral scale and dissipation by gate and block."""
    gates, n = w.shape
    x = w[:, :n // block * block].reshape(gates, -1, block)
    x = x - x.mean(axis=2, keepdims=True)
    acov, struct = np.empty(x.shape[:2] + (lags,)), np.zeros(x.shape[:2] + (lags,))
    for lag in range(lags):
        acov[..., lag] = (x[..., lag:] * x[..., :block - lag]).mean(axis=2)
        struct[..., lag] = ((x[..., lag:] - x[..., :block - lag]) ** 2).mean(axis=2)
    zero = acov[..., 1] + (acov[..., 1] - acov[..., 4]) / (4 ** (2 / 3) - 1)
    positive = np.cumprod(acov[..., 1:] > 0, axis=-1)
    scale = (acov[..., 1:] * positive).sum(axis=-1) / zero / fs
    r = (np.arange(2, 9) / fs * 7.5) ** (2 / 3)
    excess = struct[..., 2:9] - 2 * (acov[..., :1] - zero[..., None])
    slope = (excess * r).sum(axis=-1) / (r**2).sum()
    return {"variance": zero, "skewness": (x**3).mean(axis=2) / zero**1.5, "scale": scale,
            "dissipation": (np.maximum(slope, 1e-6) / 2.1) ** 1.5}


def mixing(col: Column, z: np.ndarray, dz: float) -> np.ndarray:
    """Eddy diffusivity at the inner faces from shear and Richardson number."""
    face = 0.5 * (z[:-1] + z[1:])
    shear2 = ((np.diff(col.u, axis=1) ** 2 + np.diff(col.v, axis=1) ** 2) / dz**2) + 1e-6
    ri = GRAVITY / 290.0 * np.diff(col.theta, axis=1) / dz / shear2
    length = KARMAN * face / (1 + KARMAN * face / 40.0)
    stable = 1.0 / (1 + 10.0 * np.maximum(ri, 0.0) * (1 + 8.0 * np.maximum(ri, 0.0)))
    unstable = np.sqrt(1 + 16.0 * np.maximum(-ri, 0.0))
    return np.minimum(length**2 * np.sqrt(shear2) * np.where(ri > 0, stable, unstable) + 0.02, 200.0)


def diffuse(field: np.ndarray, k: np.ndarray, dz: float, dt: float, drag: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Implicit vertical diffusion, one banded solve per column."""
    out = np.empty_like(field)
    for c in range(len(field)):
        r = k[c] * dt / dz**2
        band = np.zeros((3, field.shape[1]))
        band[0, 1:] = -r
        band[2, :-1] = -r
        band[1] = 1.0
        band[1, :-1] += r
        band[1, 1:] += r
        band[1, 0] += drag[c] * dt / dz
        rhs = field[c].copy()
        rhs[0] += source[c] * dt / dz
        out[c] = linalg.solve_banded((1, 1), band, rhs)
    return out


def step(col: Column, k: np.ndarray, hour: float, z: np.ndarray, dz: float, dt: float, geo: np.ndarray, rough: np.ndarray) -> Column:
    speed = np.hypot(col.u[:, 0], col.v[:, 0])
    cd = (KARMAN / np.log(z[0] / rough)) ** 2
    flux = max(0.16 * np.sin(2 * np.pi * (hour - 8.0) / 24), -0.012)
    angle = CORIOLIS * dt
    du, v = col.u - geo[:, None], col.v
    u = geo[:, None] + du * np.cos(angle) + v * np.sin(angle)
    v = v * np.cos(angle) - du * np.sin(angle)
    none = np.zeros(len(geo))
    return Column(diffuse(u, k, dz, dt, cd * speed, none), diffuse(v, k, dz, dt, cd * speed, none),
                  diffuse(col.theta, 1.2 * k, dz, dt, none, flux * (0.8 + 0.4 * geo / geo.max())))


def main() -> None:
    rng = np.random.default_rng(77)
    t, z = np.arange(0, 24, 0.5), np.arange(50.0, 850.0, 40.0)
    elevation = np.deg2rad(50.0)
    wind, error, used = vad(measure(t, z, 24, elevation, rng), elevation)
    u, v = truth(t, z)
    miss = np.sqrt(((wind[..., 0] - u) ** 2 + (wind[..., 1] - v) ** 2).mean(axis=0))
    found = jets(np.hypot(wind[..., 0], wind[..., 1]), z)
    stats = turbulence(stare(18000, 12, 1.0, rng), 1.0, 1800, 120)
    cols, levels, dz, dt = 16, 80, 15.0, 120.0
    zc = (np.arange(levels) + 0.5) * dz
    geo, rough = rng.uniform(5.0, 14.0, cols), 10 ** rng.uniform(-2.5, -0.3, cols)
    col = Column(np.repeat(geo[:, None], levels, axis=1), np.zeros((cols, levels)), np.tile(289.0 + 0.004 * zc, (cols, 1)))
    record, k = [], np.full((cols, levels - 1), 1.0)
    for i in range(300):
        k = 0.6 * k + 0.4 * mixing(col, zc, dz)
        col = step(col, k, 12.0 + i * dt / 3600, zc, dz, dt, geo, rough)
        if i % 30 == 29:
            record.append(np.hypot(col.u, col.v).mean(axis=0))
    top = zc[20 + np.argmax(np.diff(col.theta[:, 20:], axis=1), axis=1)]
    print(f"profiles: error {miss[0]:.4f} m/s at {z[0]:.0f} m, {miss[-1]:.4f} at {z[-1]:.0f} m, {used.mean():.3f} beams used")
    print(f"{len(found)} jets, mean height {found[:, 1].mean():.2f} m, strongest {found[:, 2].max():.3f} m/s")
    print("medians:", " ".join(f"{name} {np.median(s):.4g}" for name, s in stats.items()))
    print(f"column model: lowest wind {np.hypot(col.u[:, 0], col.v[:, 0]).mean():.4f} m/s, surface {col.theta[:, 0].mean():.3f} K, inversion at {top.mean():.1f} m")
    np.savez(sys.argv[1], wind=wind, error=error, jets=found, record=np.array(record), theta=col.theta, **stats)


if __name__ == "__main__":
    main()
