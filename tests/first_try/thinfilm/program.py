"""Optical multilayer stacks by characteristic matrices: spectra, angle scans, field in the stack,
colour of the reflection, tolerance analysis and a simple thickness refinement."""
from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Material:
    name: str
    cauchy: tuple[float, float, float]
    k: float = 0.0

    def index(self, lam: np.ndarray) -> np.ndarray:
        um = lam * 1e-3
        a, b, c = self.cauchy
        return a + b / um ** 2 + c / um ** 4 - 1j * self.k


SILICA = Material("SiO2", (1.4520, 0.0036, 0.0))
TITANIA = Material("TiO2", (2.2200, 0.0350, 0.0012), 2e-4)
GLASS = Material("BK7", (1.5046, 0.0042, 0.0))

AG_LAM = np.array([380.0, 420.0, 460.0, 500.0, 550.0, 600.0, 650.0, 700.0, 760.0])
AG_N = np.array([0.20, 0.17, 0.15, 0.13, 0.12, 0.12, 0.14, 0.14, 0.15])
AG_K = np.array([1.67, 2.10, 2.50, 2.92, 3.34, 3.73, 4.15, 4.52, 4.97])


def silver(lam: np.ndarray) -> np.ndarray:
    return np.interp(lam, AG_LAM, AG_N) - 1j * np.interp(lam, AG_LAM, AG_K)


def quarter_wave_stack(pairs: int, design: float) -> list[tuple[object, float]]:
    layers: list[tuple[object, float]] = []
    at = np.array([design])
    for _ in range(pairs):
        for mat in (TITANIA, SILICA):
            layers.append((mat.index, float(design / (4 * mat.index(at).real[0]))))
    layers.append((TITANIA.index, float(design / (4 * TITANIA.index(at).real[0]))))
    return layers


def spectrum(layers, lam: np.ndarray, substrate, theta: float = 0.0, pol: str = "s"):
    """R, T, A for all wavelengths; the 2x2 products are written out."""
    n0 = 1.0
    s0 = n0 * np.sin(theta)
    m11 = np.ones(lam.shape, dtype=complex)
    m12 = np.zeros_like(m11)
    m21 = np.zeros_like(m11)
    m22 = np.ones_like(m11)
    for index, d in layers:
        n = index(lam)
        cos = np.sqrt(1 - (s0 / n) ** 2)
        eta = n * cos if pol == "s" else n / cos
        delta = 2 * np.pi * n * cos * d / lam
        c, s = np.cos(delta), 1j * np.sin(delta)
        m11, m12 = m11 * c + m12 * s * eta, m11 * s / eta + m12 * c
        m21, m22 = m21 * c + m22 * s * eta, m21 * s / eta + m22 * c
    ns = substrate(lam)
    cos_s = np.sqrt(1 - (s0 / ns) ** 2)
    eta_s = ns * cos_s if pol == "s" else ns / cos_s
    eta_0 = n0 * np.cos(theta) if pol == "s" else n0 / np.cos(theta)
    B = m11 + m12 * eta_s
    C = m21 + m22 * eta_s
    r = (eta_0 * B - C) / (eta_0 * B + C)
    R = np.abs(r) ** 2
    T = 4 * eta_0 * eta_s.real / np.abs(eta_0 * B + C) ** 2
    return R, T, 1 - R - T


def matrix_product(layers, lam: np.ndarray, substrate) -> np.ndarray:
    """Reference at normal incidence with explicit matrices, wavelength by wavelength."""
    n = np.array([index(lam) for index, _ in layers])
    ns = substrate(lam)
    out = np.empty(len(lam), dtype=complex)
    for w in range(len(lam)):
        M = np.eye(2, dtype=complex)
        for l, (_, d) in enumerate(layers):
            delta = 2 * np.pi * n[l, w] * d / lam[w]
            c, s = np.cos(delta), np.sin(delta)
            M = M @ np.array([[c, 1j * s / n[l, w]], [1j * s * n[l, w], c]])
        B, C = M @ np.array([1.0, ns[w]])
        out[w] = (B - C) / (B + C)
    return out


def field_profile(layers, lam: float, substrate, per_layer: int = 40):
    """|E|^2 through the stack, from the substrate backwards."""
    at = np.array([lam])
    E, H = 1.0 + 0j, complex(substrate(at)[0])
    depth, intensity = [], []
    z = 0.0
    for index, d in reversed(layers):
        n = complex(index(at)[0])
        zz = np.linspace(0.0, d, per_layer)
        delta = 2 * np.pi * n * zz / lam
        e = E * np.cos(delta) + 1j * H * np.sin(delta) / n
        h = 1j * n * E * np.sin(delta) + H * np.cos(delta)
        depth.append(z + zz)
        intensity.append(np.abs(e) ** 2)
        E, H = e[-1], h[-1]
        z += d
    total = np.concatenate(depth), np.concatenate(intensity)
    return total[0], total[1] / np.abs((E + H) / 2) ** 2


def colour(lam: np.ndarray, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """XYZ (multi-lobe Gaussians) and xy chromaticity under an equal-energy light."""
    def lobe(a, mu, s1, s2):
        s = np.where(lam < mu, s1, s2)
        return a * np.exp(-0.5 * ((lam - mu) / s) ** 2)

    bars = np.stack([
        lobe(1.056, 599.8, 37.9, 31.0) + lobe(0.362, 442.0, 16.0, 26.7) + lobe(-0.065, 501.1, 20.4, 26.2),
        lobe(0.821, 568.8, 46.9, 40.5) + lobe(0.286, 530.9, 16.3, 31.1),
        lobe(1.217, 437.0, 11.8, 36.0) + lobe(0.681, 459.0, 26.0, 13.8),
    ])
    norm = np.trapezoid(bars[1], lam)
    xyz = np.trapezoid(bars * R, lam, axis=1) / norm
    return xyz, xyz[:2] / xyz.sum()


def tolerance(layers, lam, substrate, sigma: float, draws: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of R with random relative thickness errors."""
    acc = np.zeros(lam.size)
    acc2 = np.zeros(lam.size)
    for _ in range(draws):
        errors = 1 + sigma * rng.standard_normal(len(layers))
        R, _, _ = spectrum([(ix, d * e) for (ix, d), e in zip(layers, errors)], lam, substrate)
        acc += R
        acc2 += R * R
    mean = acc / draws
    return mean, np.sqrt(np.maximum(acc2 / draws - mean ** 2, 0.0))


def stopband(lam: np.ndarray, R: np.ndarray, level: float) -> tuple[float, float]:
    best = (0, 0)
    start = None
    for i, r in enumerate(R):
        if r >= level:
            if start is None:
                start = i
            if i - start > best[1] - best[0]:
                best = (start, i)
        else:
            start = None
    return float(lam[best[0]]), float(lam[best[1]])


def main() -> None:
    lam = np.linspace(390.0, 750.0, 1500)
    mirror = quarter_wave_stack(7, 550.0)
    R, T, A = spectrum(mirror, lam, GLASS.index)
    ref = matrix_product(mirror, lam[::10], GLASS.index)
    band = stopband(lam, R, 0.95)

    angles = np.radians(np.arange(0.0, 80.0, 8.0))
    scan = np.array([[spectrum(mirror, lam[::4], GLASS.index, th, pol)[0] for pol in "sp"] for th in angles])
    shift = lam[::4][np.argmax(scan[:, 0], axis=1)]

    heat = [(TITANIA.index, 32.0), (silver, 14.0), (TITANIA.index, 36.0)]
    Rh, Th, Ah = spectrum(heat, lam, GLASS.index)
    xyz, xy = colour(lam, Rh)
    mean, spread = tolerance(mirror, lam[::3], GLASS.index, 0.01, 12, np.random.default_rng(55))
    depth, e2 = field_profile(mirror, 550.0, GLASS.index)

    print(f"mirror: peak R {R.max():.8f}, stop band {band[0]:.3f}..{band[1]:.3f} nm, worst check {np.abs(np.abs(ref) ** 2 - R[::10]).max():.1e}")
    print(f"heat mirror: mean T {Th.mean():.8f}, xy = {xy[0]:.6f}, {xy[1]:.6f}")
    print(f"1% errors: largest spread {spread.max():.8f}; strongest field {e2.max():.6f}")
    np.savez(sys.argv[1], R=R, T=T, A=A, ref=ref, scan=scan, shift=shift, heat=np.stack([Rh, Th, Ah]), xyz=xyz, xy=xy,
             mean=mean, spread=spread, depth=depth, e2=e2, band=np.array(band))


if __name__ == "__main__":
    main()
