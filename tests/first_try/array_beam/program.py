"""Uniform linear and planar arrays: broadband MVDR, MUSIC, tapers, and the pattern of a failed array."""
import sys

import numpy as np
from scipy.signal import windows

C = 343.0


def steering(positions, angles, freq):
    """Phases exp(-j k p.u): one row for each angle (rad from broadside)."""
    k = 2.0 * np.pi * freq / C
    return np.exp(-1j * k * np.sin(angles)[:, None] * positions[None, :])


class Scene:
    """Sources in the far field and the snapshots of the array in each frequency bin."""

    def __init__(self, positions, doas, powers, freqs, snapshots, seed):
        self.positions = positions
        self.doas = doas
        self.powers = powers
        self.freqs = freqs
        rng = np.random.default_rng(seed)
        self.bins = []
        for f in freqs:
            a = steering(positions, doas, f).T
            shape = (len(doas), snapshots)
            s = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) * np.sqrt(powers / 2.0)[:, None]
            shape = (len(positions), snapshots)
            noise = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) * np.sqrt(0.5)
            self.bins.append(a @ s + noise)

    def covariances(self, loading):
        m = len(self.positions)
        out = np.empty((len(self.bins), m, m), dtype=complex)
        for i, x in enumerate(self.bins):
            r = x @ x.conj().T / x.shape[1]
            out[i] = r + loading * np.trace(r).real / m * np.eye(m)
        return out


def mvdr_weights(cov, positions, look, freqs):
    """Distortionless weights towards look in each bin."""
    weights = np.empty(cov.shape[:2], dtype=complex)
    for i, f in enumerate(freqs):
        a = steering(positions, np.array([look]), f)[0]
        w = np.linalg.solve(cov[i], a)
        weights[i] = w / (a.conj() @ w)
    return weights


def capon_map(cov, positions, angles, freqs):
    """1 / (a^H R^-1 a), bins by angles."""
    inv = np.linalg.inv(cov)
    out = np.empty((len(freqs), len(angles)))
    for i, f in enumerate(freqs):
        a = steering(positions, angles, f)
        out[i] = 1.0 / np.einsum("ai,ij,aj->a", a.conj(), inv[i], a).real
    return out


def music(cov, positions, angles, freqs, sources):
    """Incoherent average of the MUSIC spectra."""
    total = np.zeros(len(angles))
    for i, f in enumerate(freqs):
        _, vec = np.linalg.eigh(cov[i])
        noise = vec[:, :-sources]
        proj = steering(positions, angles, f).conj() @ noise
        total += 1.0 / (np.abs(proj) ** 2).sum(axis=1)
    return total / len(freqs)


def peaks(spectrum, count):
    """Local maxima, the largest first."""
    inner = spectrum[1:-1]
    at = np.flatnonzero((inner > spectrum[:-2]) & (inner >= spectrum[2:])) + 1
    return at[np.argsort(spectrum[at])[::-1][:count]]


def planar_pattern(nx, ny, wx, wy, alive, u, v):
    """Power pattern of a half-wave planar array with dead elements, direction by direction."""
    out = np.zeros((len(u), len(v)))
    for p in range(len(u)):
        for q in range(len(v)):
            re = 0.0
            im = 0.0
            for i in range(nx):
                for j in range(ny):
                    if not alive[i, j]:
                        continue
                    phase = np.pi * (i * u[p] + j * v[q])
                    re += wx[i] * wy[j] * np.cos(phase)
                    im += wx[i] * wy[j] * np.sin(phase)
            out[p, q] = re * re + im * im
    return out


def sidelobe_level(pattern_db, centre):
    """Walk down from the main lobe to the first nulls, then the highest of the rest."""
    right = centre
    while right + 1 < len(pattern_db) and pattern_db[right + 1] < pattern_db[right]:
        right += 1
    left = centre
    while left > 0 and pattern_db[left - 1] < pattern_db[left]:
        left -= 1
    return max(pattern_db[:left + 1].max(), pattern_db[right:].max()), right - left


def taper_study(positions, angles, freq):
    """Level and width of the lobes for the usual tapers."""
    m = len(positions)
    a = steering(positions, angles, freq)
    tapers = {"uniform": np.ones(m), "hamming": windows.hamming(m), "cheb50": windows.chebwin(m, 50.0)}
    rows = {}
    for name, w in tapers.items():
        response = np.abs(a.conj() @ (w / w.sum())) ** 2
        db = 10.0 * np.log10(np.maximum(response, 1e-12))
        rows[name] = (db, *sidelobe_level(db, int(np.argmax(db))))
    return rows


def delay_and_sum(bins, positions, look, freqs):
    """Output power of the conventional beam, bin by bin."""
    power = np.zeros(len(freqs))
    for i, (x, f) in enumerate(zip(bins, freqs)):
        w = steering(positions, np.array([look]), f)[0] / len(positions)
        y = w.conj() @ x
        power[i] = np.mean(np.abs(y) ** 2)
    return power


def main(path):
    m, spacing = 16, 0.04
    positions = (np.arange(m) - 0.5 * (m - 1)) * spacing
    doas = np.deg2rad(np.array([-23.0, 4.0, 31.0]))
    freqs = np.linspace(1500.0, 4000.0, 24)
    scene = Scene(positions, doas, np.array([4.0, 2.0, 6.0]), freqs, 200, 4711)
    angles = np.deg2rad(np.linspace(-90.0, 90.0, 721))

    cov = scene.covariances(1e-2)
    weights = mvdr_weights(cov, positions, doas[1], freqs)
    residual = np.einsum("fi,fij,fj->f", weights.conj(), cov, weights).real
    conventional = delay_and_sum(scene.bins, positions, doas[1], freqs)
    capon = capon_map(cov, positions, angles, freqs)
    spectrum = music(cov, positions, angles, freqs, len(doas))
    found = np.sort(np.rad2deg(angles[peaks(spectrum, 3)]))
    tapers = taper_study(positions, angles, 3400.0)

    rng = np.random.default_rng(9)
    alive = rng.random((8, 6)) > 0.08
    u = np.linspace(-1.0, 1.0, 31) + 0.003
    pattern = planar_pattern(8, 6, np.hamming(8), np.hamming(6), alive, u, u)

    print("bearings", " ".join(f"{d:.3f}" for d in found))
    print(f"output power MVDR {residual.mean():.6f}  delay-and-sum {conventional.mean():.6f}")
    for name, (_, level, width) in tapers.items():
        print(f"{name:8s} sidelobes {level:8.4f} dB, lobe {width} grid steps")
    print(f"dead elements {int((~alive).sum())}, pattern peak {pattern.max():.6f}")
    np.savez(path, weights=weights, residual=residual, conventional=conventional, capon=capon, spectrum=spectrum, found=found,
             pattern=pattern, **{"taper_" + name: row[0] for name, row in tapers.items()})


if __name__ == "__main__":
    main(sys.argv[1])
