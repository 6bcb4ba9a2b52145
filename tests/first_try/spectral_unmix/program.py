"""Blind and supervised unmixing of a hyperspectral scene.

Endmember spectra are known to about ten percent; abundances come from non-negative least squares by
multiplicative updates, the spectra are then polished together with the abundances, and every pixel is also
solved on its own with Tikhonov weights for an error map.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

EPS = 1e-12


def gaussian_lines(wave: np.ndarray, centres, widths, heights) -> np.ndarray:
    s = np.zeros_like(wave)
    for c, w, h in zip(centres, widths, heights):
        s += h * np.exp(-0.5 * ((wave - c) / w) ** 2)
    return s


def library(nbands: int, rng) -> tuple[np.ndarray, np.ndarray]:
    wave = np.linspace(0.4, 2.4, nbands)
    rows = []
    for k in range(5):
        centres = rng.uniform(0.5, 2.3, 6)
        widths = rng.uniform(0.05, 0.25, 6)
        heights = rng.uniform(0.1, 0.5, 6)
        rows.append(0.08 + gaussian_lines(wave, centres, widths, heights))
    return wave, np.vstack(rows)


def scene(spectra: np.ndarray, ny: int, nx: int, rng):
    k = spectra.shape[0]
    abundance = rng.dirichlet(np.full(k, 0.45), size=ny * nx)
    cube = abundance @ spectra
    cube += 0.004 * rng.standard_normal(cube.shape)
    return np.maximum(cube, 0.0), abundance


def multiplicative(cube: np.ndarray, spectra: np.ndarray, nmax: int) -> Iterator[tuple[int, np.ndarray]]:
    """A <- A * (X S^T) / (A S S^T), yielding every tenth iterate."""
    a = np.full((cube.shape[0], spectra.shape[0]), 1.0 / spectra.shape[0])
    num = cube @ spectra.T
    gram = spectra @ spectra.T
    for it in range(1, nmax + 1):
        a *= num / (a @ gram + EPS)
        if it % 10 == 0:
            yield it, a


def residual(cube: np.ndarray, a: np.ndarray, spectra: np.ndarray) -> float:
    r = cube - a @ spectra
    return float(np.sqrt(np.mean(r * r)))


def supervised(cube, spectra, nmax=60, tol=1e-3):
    history = []
    previous = np.inf
    for it, a in multiplicative(cube, spectra, nmax):
        rms = residual(cube, a, spectra)
        history.append(rms)
        if previous - rms < tol * rms:
            break
        previous = rms
    return a, np.array(history)


def polish(cube, a, spectra, sweeps):
    a = a.copy()
    s = spectra.copy()
    for _ in range(sweeps):
        s *= (a.T @ cube) / (a.T @ a @ s + EPS)
        a *= (cube @ s.T) / (a @ (s @ s.T) + EPS)
        scale = np.sqrt(np.sum(s ** 2, axis=1))
        ref = np.sqrt(np.sum(spectra ** 2, axis=1))
        s *= (ref / scale)[:, None]
        a *= scale / ref
    return a, s


def weighted_solve(cube, spectra, damping):
    """Per-pixel least squares with Poisson-like weights."""
    npix = cube.shape[0]
    k = spectra.shape[0]
    out = np.zeros((npix, k))
    eye = damping * np.eye(k)
    for p in range(npix):
        w = 1.0 / (cube[p] + 0.05)
        sw = spectra * w
        normal = sw @ spectra.T + eye
        out[p] = np.linalg.solve(normal, sw @ cube[p])
    return out


def spectral_angles(cube, spectra):
    """Class map by smallest spectral angle, with a reject class."""
    npix, nb = cube.shape
    norms = np.sqrt((spectra * spectra).sum(axis=1))
    label = np.full(npix, -1, dtype=np.int32)
    angle = np.zeros(npix)
    for p in range(npix):
        nrm = 0.0
        for b in range(nb):
            nrm += cube[p, b] ** 2
        nrm = np.sqrt(nrm)
        best = 0.0
        for k in range(spectra.shape[0]):
            dot = 0.0
            for b in range(nb):
                dot += cube[p, b] * spectra[k, b]
            c = dot / (nrm * norms[k])
            if c > best:
                best = c
                if c > 0.97:
                    label[p] = k
        angle[p] = np.arccos(min(best, 1.0))
    return label, angle


def confusion(label, truth, nclass):
    table = np.zeros((nclass + 1, nclass), dtype=np.int64)
    np.add.at(table, (label, truth), 1)
    return table


def run(out_path: str) -> None:
    rng = np.random.default_rng(3)
    wave, true_spectra = library(64, rng)
    ny, nx = 22, 25
    cube, truth = scene(true_spectra, ny, nx, rng)
    guess = true_spectra * (1.0 + 0.1 * np.sin(4.0 * wave + np.arange(5)[:, None]))
    a, history = supervised(cube, guess)
    a2, s2 = polish(cube, a, guess, 25)
    direct = weighted_solve(cube, guess, 1e-3)
    label, angle = spectral_angles(cube, guess)
    table = confusion(label, truth.argmax(axis=1), 5)
    maps = a2.reshape(ny, nx, 5)
    edges = np.abs(np.diff(maps, axis=0)).max(axis=(1, 2))
    print(f"{len(history)} checks, rms {history[-1]:.9f}, after polishing {residual(cube, a2, s2):.9f}")
    print(f"negative direct abundances {np.sum(direct < 0)}, mean angle {np.mean(angle):.8f}")
    print("abundance error", " ".join(f"{v:.6f}" for v in np.abs(a2 - truth).mean(axis=0)))
    np.savez(out_path, abundance=a, polished=a2, spectra=s2, history=history, direct=direct,
             label=label, angle=angle, table=table, edges=edges)


if __name__ == "__main__":
    run(sys.argv[1])
