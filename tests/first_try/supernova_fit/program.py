"""Light-curve fits of type Ia supernovae with a stretch/colour template over parameter grids.

The survey is simulated here: every object has its own cadence, redshift, dust and number of
epochs, so the light curves are ragged and are kept in a list of records.  For each object the
template is evaluated over a grid of (time of maximum, stretch, colour); the amplitude is solved
linearly in every cell.  The grid posterior is then marginalised, refined around the best cell by
Gauss-Newton steps, and the distance moduli are used for a small Hubble-diagram fit.
"""

import sys
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Tuple

import numpy as np
from scipy import special

SPEED_OF_LIGHT = 299792.458
BANDS = ("g", "r", "i", "z")
WAVELENGTH = {"g": 4750.0, "r": 6220.0, "i": 7630.0, "z": 9050.0}


@dataclass
class LightCurve:
    """Photometry of one object in all bands, sorted by time."""

    name: str
    z: float
    time: np.ndarray
    band: np.ndarray
    flux: np.ndarray
    error: np.ndarray
    truth: Tuple[float, float, float, float]
    fit: Dict[str, float] = field(default_factory=dict)


class Template:
    """Rise and decline of the flux in rest-frame days, tabulated per wavelength."""

    def __init__(self, phase_step: float = 0.25):
        self.phase = np.arange(-22.0, 80.0, phase_step)
        self.wave = np.linspace(3000.0, 9500.0, 53)
        rise = special.expit((self.phase + 9.0) / 2.3)[:, None]
        tail = np.exp(-np.clip(self.phase, 0, None)[:, None] / (13.0 + 9.0 * (self.wave / 6000.0) ** 2))
        bump_at = 22.0 + 5.0 * (self.wave - 7000.0) / 2000.0
        bump_size = 0.32 * special.expit((self.wave - 6400.0) / 350.0)
        bump = bump_size * np.exp(-0.5 * ((self.phase[:, None] - bump_at) / 7.5) ** 2)
        continuum = (self.wave / 5000.0) ** -1.7 * special.expit((self.wave - 3500.0) / 260.0)
        self.table = rise * (tail + bump) * continuum
        self.table /= self.table.max()
        self.colour_law = (5500.0 / self.wave) ** 1.4 - 1.0

    def flux(self, phase: np.ndarray, wave: np.ndarray, colour) -> np.ndarray:
        """Bilinear look-up; `phase` and `wave` broadcast against each other."""
        p = np.clip((phase - self.phase[0]) / (self.phase[1] - self.phase[0]), 0, len(self.phase) - 1.000001)
        w = np.clip((wave - self.wave[0]) / (self.wave[1] - self.wave[0]), 0, len(self.wave) - 1.000001)
        ip, iw = p.astype(int), w.astype(int)
        fp, fw = p - ip, w - iw
        value = ((1 - fp) * (1 - fw) * self.table[ip, iw] + fp * (1 - fw) * self.table[ip + 1, iw]
                 + (1 - fp) * fw * self.table[ip, iw + 1] + fp * fw * self.table[ip + 1, iw + 1])
        law = np.interp(wave, self.wave, self.colour_law)
        return value * 10 ** (-0.4 * colour * law)


def distance_modulus(z: np.ndarray, omega: float, h0: float = 70.0, steps: int = 400) -> np.ndarray:
    grid = np.linspace(0.0, 1.0, steps + 1)[None, :] * np.atleast_1d(z)[:, None]
    inverse = 1.0 / np.sqrt(omega * (1 + grid) ** 3 + 1 - omega)
    comoving = np.trapezoid(inverse, grid, axis=1) * SPEED_OF_LIGHT / h0
    return 5 * np.log10((1 + np.atleast_1d(z)) * comoving) + 25


def simulate(template: Template, count: int, rng: np.random.Generator) -> Iterator[LightCurve]:
    for k in range(count):
        z = rng.uniform(0.08, 0.65)
        t0, stretch, colour = rng.uniform(-3, 3), rng.normal(1.0, 0.08), rng.normal(0.0, 0.08)
        mag = -19.3 + distance_modulus(z, 0.3)[0] - 1.4 * (stretch - 1) + 2.9 * colour + rng.normal(0, 0.1)
        amplitude = 10 ** (-0.4 * (mag - 27.5))
        times, bands = [], []
        for b in range(len(BANDS)):
            t = np.arange(rng.uniform(-25, -18), 70.0, rng.uniform(3.5, 6.0))
            t = t[rng.uniform(size=len(t)) > 0.25]
            times.append(t + rng.normal(0, 0.02, len(t)))
            bands.append(np.full(len(t), b))
        time, band = np.concatenate(times), np.concatenate(bands)
        order = np.argsort(time)
        time, band = time[order], band[order]
        wave = np.array([WAVELENGTH[b] for b in BANDS])[band] / (1 + z)
        clean = amplitude * template.flux((time - t0) / (1 + z) / stretch, wave, colour)
        error = np.sqrt(1.0 + 0.0009 * clean**2 + 0.05 * clean)
        flux = clean + error * rng.standard_normal(len(time))
        yield LightCurve(f"SN{k:03d}", z, time, band, flux, error, (t0, stretch, colour, mag))


def model(template: Template, lc: LightCurve, t0, stretch, colour) -> np.ndarray:
    """Template flux of unit amplitude; parameters may carry leading grid axes."""
    wave = np.array([WAVELENGTH[b] for b in BANDS])[lc.band] / (1 + lc.z)
    phase = (lc.time - np.asarray(t0)[..., None]) / (1 + lc.z) / np.asarray(stretch)[..., None]
    return template.flux(phase, wave, np.asarray(colour)[..., None])


def grid_fit(template: Template, lc: LightCurve, axes: List[np.ndarray]) -> Tuple[np.ndarray, np.ndarray]:
    """Chi-square and best amplitude in every cell, one colour slice at a time."""
    shape = tuple(len(a) for a in axes)
    chi2, amp = np.empty(shape), np.empty(shape)
    t0, stretch = np.meshgrid(axes[0], axes[1], indexing="ij")
    weight = 1.0 / lc.error**2
    dd = (weight * lc.flux**2).sum()
    for c, colour in enumerate(axes[2]):
        m = model(template, lc, t0, stretch, np.full(t0.shape, colour))
        md = (m * lc.flux * weight).sum(axis=-1)
        mm = (m * m * weight).sum(axis=-1)
        amp[:, :, c] = md / mm
        chi2[:, :, c] = dd - md**2 / mm
    return chi2, amp


def marginals(chi2: np.ndarray, axes: List[np.ndarray]) -> Tuple[np.ndarray, np.ndarray]:
    p = np.exp(-0.5 * (chi2 - chi2.min()))
    p /= p.sum()
    mean, sd = np.empty(3), np.empty(3)
    for a in range(3):
        m = p.sum(axis=tuple(k for k in range(3) if k != a))
        mean[a] = (m * axes[a]).sum()
        sd[a] = np.sqrt((m * (axes[a] - mean[a]) ** 2).sum())
    return mean, sd


def refine(template: Template, lc: LightCurve, start: np.ndarray, rounds: int = 5) -> Tuple[np.ndarray, np.ndarray]:
    """Damped Gauss-Newton in (t0, stretch, colour, ln amplitude) with numerical derivatives."""
    x = start.copy()
    delta = np.array([1e-3, 1e-4, 1e-4])
    for _ in range(rounds):
        base = np.exp(x[3]) * model(template, lc, x[0], x[1], x[2])
        jac = np.empty((len(lc.time), 4))
        for k in range(3):
            moved = x.copy()
            moved[k] += delta[k]
            jac[:, k] = (np.exp(x[3]) * model(template, lc, moved[0], moved[1], moved[2]) - base) / delta[k]
        jac[:, 3] = base
        a = jac / lc.error[:, None]
        normal = a.T @ a
        x = x + 0.7 * np.linalg.solve(normal, a.T @ ((lc.flux - base) / lc.error))
    return x, np.linalg.inv(normal)


def outliers(lc: LightCurve, expected: np.ndarray, limit: float = 2.71) -> List[str]:
    """Epochs whose neighbour in the same band deviates in the same sense."""
    last: Dict[int, float] = {}
    names = []
    for t, b, pull in zip(lc.time.tolist(), lc.band.tolist(), ((lc.flux - expected) / lc.error).tolist()):
        if abs(pull) > limit and last.get(b, 0.0) * pull > 0:
            names.append(f"{lc.name}:{BANDS[b]}{t:+.1f}")
        last[b] = pull
    return names


def hubble_fit(z, mu, stretch, colour, omegas: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Residual scatter for each matter density after a linear fit of offset, alpha and beta."""
    design = np.stack([np.ones_like(z), stretch - 1, colour], axis=1)
    scatter, coefs = np.empty(len(omegas)), np.empty((len(omegas), 3))
    for i, omega in enumerate(omegas):
        rest = mu - distance_modulus(z, omega)
        coefs[i] = np.linalg.lstsq(design, rest, rcond=None)[0]
        scatter[i] = np.sqrt(np.mean((rest - design @ coefs[i]) ** 2))
    return scatter, coefs


def main() -> None:
    rng = np.random.default_rng(1987)
    template = Template()
    survey = list(simulate(template, 24, rng))
    axes = [np.linspace(-5.0, 5.0, 15), np.linspace(0.7, 1.3, 11), np.linspace(-0.35, 0.35, 9)]
    fits, errors, spread, odd = [], [], [], []
    for lc in survey:
        chi2, amp = grid_fit(template, lc, axes)
        mean, sd = marginals(chi2, axes)
        i, j, k = np.unravel_index(np.argmin(chi2), chi2.shape)
        start = np.array([axes[0][i], axes[1][j], axes[2][k], np.log(amp[i, j, k])])
        x, cov = refine(template, lc, start)
        odd += outliers(lc, np.exp(x[3]) * model(template, lc, x[0], x[1], x[2]))
        fits.append(x)
        errors.append(np.sqrt(np.diag(cov)))
        spread.append(np.concatenate([mean, sd]))
    fits, errors, spread = np.array(fits), np.array(errors), np.array(spread)
    truth = np.array([lc.truth for lc in survey])
    z = np.array([lc.z for lc in survey])
    mu = 27.5 - 2.5 / np.log(10) * fits[:, 3] + 19.3
    omegas = np.linspace(0.05, 0.95, 46)
    scatter, coefs = hubble_fit(z, mu, fits[:, 1], fits[:, 2], omegas)
    best = int(np.argmin(scatter))
    pulls = (fits[:, :3] - truth[:, :3]) / errors[:, :3]
    print(f"{len(survey)} light curves, {sum(len(lc.time) for lc in survey)} epochs, {len(odd)} doubtful")
    print("rms pulls:", " ".join(f"{v:.3f}" for v in np.sqrt((pulls**2).mean(axis=0))))
    print(f"omega {omegas[best]:.2f}, scatter {scatter[best]:.4f} mag, alpha {-coefs[best, 1]:.3f}, beta {coefs[best, 2]:.3f}")
    np.savez(sys.argv[1], fits=fits, errors=errors, spread=spread, scatter=scatter, coefs=coefs, mu=mu)


if __name__ == "__main__":
    main()
