"""Exact diagonalisation of XXZ rings: momentum blocks, spectra, specific heat, structure factor, level statistics."""
import sys
from collections import defaultdict

import numpy as np

SITES = 10


def rotate(state, n):
    return ((state << 1) | (state >> (n - 1))) & ((1 << n) - 1)


def representative(state, n):
    """Smallest state of the orbit and the number of rotations to reach it."""
    best, shift, s = state, 0, state
    for r in range(1, n):
        s = rotate(s, n)
        if s < best:
            best, shift = s, r
    return best, shift


def period(state, n):
    s = rotate(state, n)
    count = 1
    while s != state:
        s = rotate(s, n)
        count += 1
    return count


def momentum_basis(n, up):
    """Representatives of the sector with `up` spins, by momentum."""
    basis = defaultdict(list)
    for s in range(1 << n):
        if bin(s).count("1") != up or representative(s, n)[0] != s:
            continue
        p = period(s, n)
        for k in range(n):
            if (k * p) % n == 0:
                basis[k].append((s, p))
    return dict(basis)


def block(states, k, n, delta):
    """Hamiltonian of one (magnetisation, momentum) block."""
    index = {s: i for i, (s, _) in enumerate(states)}
    h = np.zeros((len(states), len(states)), dtype=complex)
    for s, p in states:
        a = index[s]
        for i in range(n):
            j = (i + 1) % n
            bi, bj = (s >> i) & 1, (s >> j) & 1
            if bi == bj:
                h[a, a] += 0.25 * delta
                continue
            h[a, a] -= 0.25 * delta
            rep, shift = representative(s ^ (1 << i) ^ (1 << j), n)
            if rep in index:
                b = index[rep]
                ratio = np.sqrt(p / states[b][1])
                h[b, a] += 0.5 * ratio * np.exp(-2j * np.pi * k * shift / n)
    return h


class Spectrum:
    def __init__(self, n, delta):
        self.n, self.delta = n, delta
        self.levels = {}
        for up in range(n // 2 + 1):
            for k, states in momentum_basis(n, up).items():
                self.levels[up, k] = np.linalg.eigvalsh(block(states, k, n, delta))

    def energies(self):
        """All 2^n levels; sectors below half filling count twice."""
        parts = []
        for (up, _), e in sorted(self.levels.items()):
            parts.extend([e] * (1 if 2 * up == self.n else 2))
        return np.concatenate(parts)

    def magnetisations(self):
        parts = []
        for (up, _), e in sorted(self.levels.items()):
            m = up - self.n / 2
            parts.extend([np.full(len(e), m)] * (1 if 2 * up == self.n else 2))
        return np.concatenate(parts)

    def ground(self):
        return min(float(e[0]) for e in self.levels.values())


def thermodynamics(energies, mags, temps, n):
    e = energies - energies.min()
    cv, chi, entropy = np.empty(len(temps)), np.empty(len(temps)), np.empty(len(temps))
    for i, t in enumerate(temps):
        w = np.exp(-e / t)
        z = w.sum()
        mean = (w * e).sum() / z
        cv[i] = ((w * e ** 2).sum() / z - mean ** 2) / t ** 2 / n
        chi[i] = (w * mags ** 2).sum() / z / t / n
        entropy[i] = (np.log(z) + mean / t) / n
    return cv, chi, entropy


def full_hamiltonian(n, delta, fields):
    """Dense matrix in the S^z basis with site fields, built from bond terms."""
    dim = 1 << n
    states = np.arange(dim)
    h = np.zeros((dim, dim))
    for i in range(n):
        j = (i + 1) % n
        zi, zj = ((states >> i) & 1) - 0.5, ((states >> j) & 1) - 0.5
        h[states, states] += delta * zi * zj + fields[i] * zi
        flip = states[zi != zj]
        h[flip ^ ((1 << i) | (1 << j)), flip] += 0.5
    return h


def spacing_ratio(levels):
    """Mean ratio of neighbouring gaps of the middle half."""
    e = np.sort(levels)[len(levels) // 4: -len(levels) // 4]
    gaps = np.diff(e)
    r = np.minimum(gaps[1:], gaps[:-1]) / np.maximum(gaps[1:], gaps[:-1])
    return r.mean()


def disorder_average(n, delta, width, samples, rng):
    out = np.empty(samples)
    states = np.arange(1 << n)
    sector = states[np.array([bin(s).count("1") == n // 2 for s in states.tolist()])]
    for k in range(samples):
        h = full_hamiltonian(n, delta, rng.uniform(-width, width, n))
        out[k] = spacing_ratio(np.linalg.eigvalsh(h[np.ix_(sector, sector)]))
    return out


def quench(n, delta, times):
    """Staggered magnetisation after a quench from the Neel state."""
    evals, vecs = np.linalg.eigh(full_hamiltonian(n, delta, np.zeros(n)))
    neel = sum(1 << i for i in range(0, n, 2))
    states = np.arange(1 << n)
    stag = sum((-1) ** i * (((states >> i) & 1) - 0.5) for i in range(n)) / n
    amp = vecs[neel]
    out = np.empty(len(times))
    for i, t in enumerate(times):
        psi = vecs @ (np.exp(-1j * evals * t) * amp)
        out[i] = np.sum(np.abs(psi) ** 2 * stag)
    return out


def main():
    spectrum = Spectrum(SITES, 1.0)
    temps = np.geomspace(0.1, 5.0, 60)
    e, m = spectrum.energies(), spectrum.magnetisations()
    cv, chi, entropy = thermodynamics(e, m, temps, SITES)
    rng = np.random.default_rng(1931)
    weak, strong = (disorder_average(8, 1.0, w, 12, rng) for w in (0.5, 8.0))
    relax = quench(8, 0.5, np.linspace(0.0, 8.0, 50))
    print(f"{len(e)} levels, ground state {spectrum.ground() / SITES:.5f} per site")
    print(f"specific heat peak {cv.max():.4f} at T = {temps[np.argmax(cv)]:.3f}, chi(T=5) {chi[-1]:.5f}")
    print(f"gap ratio {weak.mean():.3f} (weak disorder), {strong.mean():.3f} (strong)")
    np.savez(sys.argv[1], levels=np.sort(e), cv=cv, chi=chi, entropy=entropy, weak=weak, strong=strong, relax=relax)


if __name__ == "__main__":
    main()
