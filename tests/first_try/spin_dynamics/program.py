"""Quantum dynamics in two settings.

A wave packet hitting a double slit-like barrier in 2-D (split operator), and
a Heisenberg chain with random fields, exactly diagonalised in the basis of
fixed magnetisation: level statistics, quench, entanglement.
"""
import sys
from itertools import combinations

import numpy as np


# ---------------------------------------------------------------- wave packet

def grid(n, box):
    x = (np.arange(n) - n // 2) * (box / n)
    k = 2.0 * np.pi * np.fft.fftfreq(n, d=box / n)
    return x, k


def packet(x, y, x0, y0, k0, width):
    psi = np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / (4 * width ** 2) + 1j * k0 * x)
    dx = x[1, 0] - x[0, 0]
    return psi / np.sqrt((np.abs(psi) ** 2).sum() * dx ** 2)


def barrier(x, y, height):
    """Wall at x = 0 with two openings and soft edges."""
    wall = height / np.cosh(x / 0.4) ** 2
    gaps = np.exp(-((np.abs(y) - 2.0) / 0.6) ** 4)
    return wall * (1.0 - gaps)


def absorber(x, box):
    edge = np.clip((np.abs(x) - 0.4 * box) / (0.1 * box), 0.0, 1.0)
    return 4.0 * edge ** 2


def propagator(potential, kx, ky, dt):
    """Closure that moves psi on by dt in place."""
    half = np.exp(-0.5j * dt * potential)
    kinetic = np.exp(-0.5j * dt * (kx[:, None] ** 2 + ky[None, :] ** 2))

    def step(psi):
        psi *= half
        psi[...] = np.fft.ifft2(np.fft.fft2(psi) * kinetic)
        psi *= half

    return step


def flux(psi, dx, row):
    """Probability current through the line x = x[row]."""
    grad = (psi[row + 1] - psi[row - 1]) / (2 * dx)
    return (np.conj(psi[row]) * grad).imag.sum() * dx


def double_slit(n=96, box=24.0, steps=50, dt=0.06):
    x, k = grid(n, box)
    xx, yy = np.meshgrid(x, x, indexing="ij")
    psi = packet(xx, yy, -5.0, 0.0, 4.0, 1.3)
    potential = barrier(xx, yy, 20.0) - 1j * (absorber(xx, box) + absorber(yy, box))
    step = propagator(potential, k, k, dt)
    dx = x[1] - x[0]
    screen = np.zeros(n)
    record = np.empty((steps, 3))
    row = int(np.searchsorted(x, 3.0))
    for s in range(steps):
        step(psi)
        density = psi.real ** 2 + psi.imag ** 2
        record[s, 0] = density.sum() * dx ** 2
        record[s, 1] = (density * xx).sum() * dx ** 2 / record[s, 0]
        record[s, 2] = flux(psi, dx, row)
        screen += density[row] * dt
    return density, record, screen


# ---------------------------------------------------------------- spin chain

def basis(sites, up):
    """Bit patterns with a given number of up spins, in rising order."""
    states = [sum(1 << b for b in bits) for bits in combinations(range(sites), up)]
    return np.array(sorted(states))


def spins(states, sites):
    """Table of +1/2 and -1/2 per state and site."""
    return ((states[:, None] >> np.arange(sites)) & 1) - 0.5


def hamiltonian(states, sites, jxy, jz, fields):
    table = spins(states, sites)
    diagonal = jz * (table * np.roll(table, -1, axis=1)).sum(axis=1) + table @ fields
    h = np.diag(diagonal)
    for i in range(sites):
        j = (i + 1) % sites
        mask = (1 << i) | (1 << j)
        differ = np.flatnonzero(table[:, i] != table[:, j])
        partner = np.searchsorted(states, states[differ] ^ mask)
        h[differ, partner] += 0.5 * jxy
    return h


def gap_ratio(levels):
    """Mean of min(gap, next gap) / max(...) in the middle half of the spectrum."""
    n = len(levels)
    mid = levels[n // 4:3 * n // 4]
    total = 0.0
    count = 0
    for k in range(1, len(mid) - 1):
        below = mid[k] - mid[k - 1]
        above = mid[k + 1] - mid[k]
        big = max(below, above)
        if big > 1e-9:
            total += min(below, above) / big
            count += 1
    return total / count


def entanglement(psi, states, sites, cut):
    """Von Neumann entropy of the first `cut` sites."""
    m = np.zeros((1 << cut, 1 << (sites - cut)), dtype=complex)
    m[states & ((1 << cut) - 1), states >> cut] = psi
    p = np.linalg.svd(m, compute_uv=False) ** 2
    p = p[p > 1e-14]
    return -(p * np.log(p)).sum()


def quench(levels, vectors, table, start, times, states, sites):
    """Staggered magnetisation, return probability and entropy after the quench."""
    amp = vectors.T[:, start].astype(complex)
    sign = (-1.0) ** np.arange(sites)
    stagger = table @ sign
    out = {"stagger": [], "fidelity": [], "entropy": []}
    for t in times:
        psi = vectors @ (amp * np.exp(-1j * levels * t))
        weight = np.abs(psi) ** 2
        out["stagger"].append((weight * stagger).sum() / sites)
        out["fidelity"].append(weight[start])
        out["entropy"].append(entanglement(psi, states, sites, sites // 2))
    return {name: np.array(values) for name, values in out.items()}


def chain(sites=10, disorder=0.8, samples=4, seed=99):
    rng = np.random.default_rng(seed)
    states = basis(sites, sites // 2)
    table = spins(states, sites)
    spectra = np.empty((samples, len(states)))
    ratios = []
    vectors = None
    for s in range(samples):
        fields = disorder * rng.uniform(-1.0, 1.0, sites)
        h = hamiltonian(states, sites, 1.0, 1.0, fields)
        spectra[s], vectors = np.linalg.eigh(h)
        ratios.append(gap_ratio(spectra[s]))
    neel = sum(1 << b for b in range(0, sites, 2))
    start = int(np.searchsorted(states, neel))
    result = quench(spectra[-1], vectors, table, start, np.linspace(0.0, 8.0, 25), states, sites)
    result["correlation"] = (vectors[:, 0] ** 2) @ (table[:, :1] * table)
    result["spectra"] = spectra
    result["ratios"] = np.array(ratios)
    return result


def main():
    density, record, screen = double_slit()
    result = chain()
    np.savez(sys.argv[1], density=density, record=record, screen=screen, **result)
    print(f"norm left {record[-1, 0]:.8f}, mean position {record[-1, 1]:.6f}, largest flux {record[:, 2].max():.6f}")
    print(f"chain of {result['spectra'].shape[1]} states, ground energy {result['spectra'][-1, 0]:.8f}")
    print(f"gap ratio {result['ratios'].mean():.6f}, late entropy {result['entropy'][-5:].mean():.6f}")


if __name__ == "__main__":
    main()
