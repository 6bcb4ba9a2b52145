"""Love-wave dispersion curves of a layered crust and a grid search for the crustal model."""
import itertools
import sys
from dataclasses import dataclass

import numpy as np

MODEL_TEXT = """
# thickness_m  vs_m_s  rho_kg_m3
  800.0   1450.0  2100.0
 2400.0   2350.0  2400.0
 7000.0   3150.0  2650.0
    0.0   3900.0  2900.0
"""


@dataclass(frozen=True)
class Layer:
    h: float
    vs: float
    rho: float

    @property
    def mu(self):
        return self.rho * self.vs ** 2


def read_model(text):
    layers = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            layers.append(Layer(*(float(w) for w in line.split())))
    return layers


def secular(c, omega, layers):
    """Surface traction of the field that decays in the half space, for an array of trial velocities."""
    k = omega / c
    half = layers[-1]
    u = np.ones_like(c)
    t = half.mu / 1e7 * np.sqrt(np.maximum(k ** 2 - (omega / half.vs) ** 2, 0.0))
    for layer in reversed(layers[:-1]):
        q2 = (omega / layer.vs) ** 2 - k ** 2
        q = np.sqrt(np.abs(q2))
        mu = layer.mu / 1e7
        qh = q * layer.h
        cos = np.where(q2 > 0, np.cos(qh), np.cosh(np.minimum(qh, 300.0)))
        sin = np.where(q2 > 0, np.sin(qh), np.sinh(np.minimum(qh, 300.0)))
        sign = np.where(q2 > 0, 1.0, -1.0)
        u, t = (cos * u + sin / (mu * q) * t,
                -sign * mu * q * sin * u + cos * t)
        norm = np.sqrt(u ** 2 + (t * 1e3) ** 2)
        u, t = u / norm, t / norm
    return t * 1e3


def bracket(grid, omega, layers, modes):
    """Intervals of the velocity grid that hold the first few roots."""
    f = secular(grid, omega, layers)
    change = np.nonzero(f[:-1] * f[1:] < 0)[0][:modes]
    return [(grid[i], grid[i + 1]) for i in change]


def refine(lo, hi, omega, layers, steps=48):
    """Bisection on one root."""
    ends = np.array([lo, hi])
    sign_lo = np.sign(secular(ends, omega, layers)[0])
    for _ in range(steps):
        mid = 0.5 * (lo + hi)
        if np.sign(secular(np.array([mid]), omega, layers)[0]) == sign_lo:
            lo = mid
        else:
            hi = mid
    return 0.5 * (lo + hi)


def dispersion(freqs, layers, modes=2):
    vmin = 1.003 * min(l.vs for l in layers)
    vmax = 0.9995 * layers[-1].vs
    grid = np.linspace(vmin, vmax, 700)
    curves = np.full((modes, len(freqs)), np.nan)
    for j, f in enumerate(freqs):
        omega = 2 * np.pi * f
        for m, (lo, hi) in enumerate(bracket(grid, omega, layers, modes)):
            curves[m, j] = refine(lo, hi, omega, layers)
    return curves


def group_velocity(freqs, c):
    omega = 2 * np.pi * freqs
    k = omega / c
    return np.gradient(omega, edge_order=2) / np.gradient(k, edge_order=2)


def misfit_surface(freqs, observed, sigma, base, scales_v, scales_h):
    """Secular-function misfit: the observed velocities put into the period equation of each candidate."""
    out = np.zeros((len(scales_v), len(scales_h)))
    for (i, sv), (j, sh) in itertools.product(enumerate(scales_v), enumerate(scales_h)):
        trial = [Layer(l.h * (sh if n == 1 else 1.0), l.vs * (sv if n == 1 else 1.0), l.rho)
                 for n, l in enumerate(base)]
        total = 0.0
        for f, c, s in zip(freqs, observed, sigma):
            omega = 2 * np.pi * f
            d = secular(c + s * np.array([-1.0, 0.0, 1.0]), omega, trial)
            total += (d[1] / (np.abs(d[2] - d[0]) + 1e-3)) ** 2
        out[i, j] = np.sqrt(total / len(freqs))
    return out


def main():
    layers = read_model(MODEL_TEXT)
    rng = np.random.default_rng(41)
    freqs = np.linspace(0.08, 1.2, 40)
    curves = dispersion(freqs, layers)
    group = group_velocity(freqs, curves[0])
    sigma = np.full(len(freqs), 12.0)
    observed = np.clip(curves[0] + sigma * rng.normal(size=len(freqs)), 1500.0, 3880.0)
    sv, sh = np.linspace(0.9, 1.1, 9), np.linspace(0.8, 1.2, 9)
    surface = misfit_surface(freqs, observed, sigma, layers, sv, sh)
    best = np.unravel_index(np.argmin(surface), surface.shape)
    print(f"fundamental mode: {curves[0, 0]:.1f} m/s to {curves[0, -1]:.1f} m/s")
    print(f"slowest group velocity {np.min(group):.1f} m/s, overtone at {np.isfinite(curves[1]).sum()} frequencies")
    print(f"best candidate: vs x {sv[best[0]]:.3f}, h x {sh[best[1]]:.2f}, misfit {surface[best]:.1f}")
    np.savez(sys.argv[1], freqs=freqs, curves=curves, group=group, surface=surface)


if __name__ == "__main__":
    main()
