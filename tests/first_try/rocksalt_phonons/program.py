"""Lattice dynamics of a rocksalt crystal with central and tangential springs.

Dispersion along X-G-L, density of states on a shifted mesh, heat capacity, free energy
and mean-square displacements of both ions.
"""
import sys
from dataclasses import dataclass, field
from math import pi, sqrt

import numpy as np

HBAR = 1.054571817e-34
KB = 1.380649e-23
AMU = 1.66053907e-27


@dataclass
class Bond:
    a: int
    b: int
    vec: np.ndarray
    phi: np.ndarray


@dataclass
class Crystal:
    a0: float = 5.64e-10
    masses: tuple = (22.99, 35.45)
    first: tuple = (38.0, -1.2)              # N/m, radial and tangential, unlike neighbours
    second: tuple = ((1.5, 0.1), (6.0, -0.2))  # like neighbours, per sublattice
    bonds: list = field(default_factory=list)

    def spring(self, v, radial, tangential):
        n = v / np.linalg.norm(v)
        return tangential * np.eye(3) + (radial - tangential) * np.outer(n, n)

    def build(self):
        h = 0.5
        axes = np.vstack([np.eye(3), -np.eye(3)]) * h
        for v in axes:
            for a in (0, 1):
                self.bonds.append(Bond(a, 1 - a, v, self.spring(v, *self.first)))
        for i in range(3):
            for j in range(i + 1, 3):
                for si in (-h, h):
                    for sj in (-h, h):
                        v = np.zeros(3)
                        v[i], v[j] = si, sj
                        for a in (0, 1):
                            self.bonds.append(Bond(a, a, v, self.spring(v, *self.second[a])))
        return self

    def dynamical(self, q):
        """Mass-weighted dynamical matrices (nq, 6, 6) for reduced wave vectors (nq, 3)."""
        nq = len(q)
        D = np.zeros((nq, 6, 6), dtype=complex)
        for bond in self.bonds:
            ma, mb = self.masses[bond.a], self.masses[bond.b]
            ra, rb = 3 * bond.a, 3 * bond.b
            D[:, ra:ra + 3, ra:ra + 3] += bond.phi / (ma * AMU)
            phase = np.exp(2j * pi * (q @ bond.vec))
            D[:, ra:ra + 3, rb:rb + 3] -= phase[:, None, None] * bond.phi / (sqrt(ma * mb) * AMU)
        return 0.5 * (D + np.conj(np.swapaxes(D, 1, 2)))


def frequencies(D):
    """Phonon frequencies in THz for every matrix of the stack, ascending per q point."""
    freq = np.zeros((D.shape[0], D.shape[1]))
    for iq in range(D.shape[0]):
        w2 = np.linalg.eigvalsh(D[iq])
        freq[iq] = np.sign(w2) * np.sqrt(np.abs(w2)) / (2.0 * pi) * 1e-12
    return freq


def mean_square_displacement(D, temperatures, masses):
    """<u^2> per ion and temperature in A^2, summed over all modes of the mesh."""
    msd = np.zeros((len(temperatures), 2))
    for matrix in D:
        w2, e = np.linalg.eigh(matrix)
        omega = np.sqrt(w2)
        weight = np.abs(e) ** 2
        for it, temp in enumerate(temperatures):
            amp = HBAR / (2.0 * omega) / np.tanh(HBAR * omega / (2.0 * KB * temp))
            msd[it, 0] += (weight[:3].sum(axis=0) * amp).sum() / (masses[0] * AMU)
            msd[it, 1] += (weight[3:].sum(axis=0) * amp).sum() / (masses[1] * AMU)
    return msd / len(D) * 1e20


def path(points, per_leg):
    legs = []
    for start, stop in zip(points[:-1], points[1:]):
        s = np.linspace(0.0, 1.0, per_leg, endpoint=False)[:, None]
        legs.append((1.0 - s) * np.asarray(start) + s * np.asarray(stop))
    legs.append(np.asarray(points[-1])[None, :])
    return np.concatenate(legs)


def shifted_mesh(n):
    g = (np.arange(n) + 0.5) / n - 0.5
    return np.stack(np.meshgrid(g, g, g, indexing="ij"), axis=-1).reshape(-1, 3) * 2.0


def gaussian_dos(freq, grid, width):
    """Smeared density of states normalised to six modes per cell."""
    dos = np.zeros(grid.size)
    norm = 1.0 / (width * np.sqrt(2.0 * np.pi))
    for band in range(freq.shape[1]):
        z = (grid[:, None] - freq[:, band]) / width
        dos += norm * np.exp(-0.5 * z * z).sum(axis=1)
    return dos / freq.shape[0]


def thermodynamics(freq, temperatures):
    """Heat capacity (J/K) and vibrational free energy (J) per cell."""
    modes = freq.ravel()
    cv = np.zeros(len(temperatures))
    free = np.zeros(len(temperatures))
    for it in range(len(temperatures)):
        kt = KB * temperatures[it]
        csum = 0.0
        fsum = 0.0
        for m in range(modes.size):
            energy = HBAR * 2.0 * np.pi * 1e12 * modes[m]
            x = energy / kt
            ex = np.exp(-x)
            csum += x * x * ex / (1.0 - ex) ** 2
            fsum += 0.5 * energy + kt * np.log(1.0 - ex)
        cv[it] = KB * csum / freq.shape[0]
        free[it] = fsum / freq.shape[0]
    return cv, free


def main():
    crystal = Crystal().build()
    q = path([(1.0, 0.0, 0.0), (0.02, 0.0, 0.0), (0.01, 0.01, 0.01), (0.5, 0.5, 0.5)], 25)
    bands = frequencies(crystal.dynamical(q))
    speed = np.diff(bands[:, 2]) / np.maximum(np.linalg.norm(np.diff(q, axis=0), axis=1), 1e-12)

    D = crystal.dynamical(shifted_mesh(6))
    freq = frequencies(D)
    grid = np.linspace(0.0, 11.0, 221)
    dos = gaussian_dos(freq, grid, 0.18)
    integral = np.concatenate([[0.0], np.cumsum(0.5 * (dos[1:] + dos[:-1]) * (grid[1] - grid[0]))])
    counts, edges = np.histogram(freq, bins=30, range=(0.0, 11.0))
    temps = np.array([40.0, 80.0, 120.0, 200.0, 300.0, 450.0, 700.0, 1000.0])
    cv, free = thermodynamics(freq, temps)
    msd = mean_square_displacement(D[::2], temps, crystal.masses)

    peak = np.argmax(dos)
    acoustic = bands[:, 2].max()
    print(f"frequencies {freq.min():.5f} to {freq.max():.5f} THz, acoustic branches up to {acoustic:.5f} THz")
    print(f"DOS peak at {grid[peak]:.2f} THz, integral {integral[-1]:.5f}")
    for t, c, u in zip(temps[::3], cv[::3], msd[::3]):
        print(f"T={t:6.1f} K  Cv/3k={c / (3 * KB):.6f}  <u2>={u[0]:.6f} {u[1]:.6f} A2")
    np.savez(sys.argv[1], bands=bands, speed=speed, freq=freq, dos=dos, integral=integral, counts=counts,
             cv=cv, free=free, msd=msd)


if __name__ == "__main__":
    main()
