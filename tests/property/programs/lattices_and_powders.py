"""Structure factors, powder pattern, and a text table."""
import itertools
import math

import numpy as np

FORM = {"Na": (10.0, 2.0), "Cl": (17.0, 3.0)}


def reciprocal(lattice):
    return 2 * np.pi * np.linalg.inv(lattice).T


def miller(hmax):
    return np.array([hkl for hkl in itertools.product(range(-hmax, hmax + 1), repeat=3) if any(hkl)])


class Crystal:
    def __init__(self, lattice, species, frac):
        self.lattice = np.array(lattice, float)
        self.species = list(species)
        self.frac = np.array(frac, float)

    def __repr__(self):
        return f"Crystal({len(self.species)} atoms, volume {self.volume:.3f})"

    @property
    def volume(self):
        return abs(np.linalg.det(self.lattice))

    def form_factors(self, q):
        f = np.empty((len(q), len(self.species)))
        for k, name in enumerate(self.species):
            z, b = FORM[name]
            f[:, k] = z * np.exp(-b * (q / (4 * np.pi)) ** 2)
        return f

    def structure_factors(self, hkl):
        q = np.linalg.norm(hkl @ reciprocal(self.lattice), axis=1)
        phase = np.exp(2j * np.pi * hkl @ self.frac.T)
        return q, (self.form_factors(q) * phase).sum(axis=1)

    def powder(self, wavelength, hmax=3):
        hkl = miller(hmax)
        q, F = self.structure_factors(hkl)
        s = q * wavelength / (4 * np.pi)
        ok = s < 1
        two_theta = np.degrees(2 * np.arcsin(s[ok]))
        intensity = np.abs(F[ok]) ** 2
        theta = np.radians(two_theta / 2)
        lp = (1 + np.cos(2 * theta) ** 2) / (np.sin(theta) ** 2 * np.cos(theta))
        angles, inverse, count = np.unique(np.round(two_theta, 6), return_inverse=True, return_counts=True)
        total = np.bincount(inverse, weights=intensity * lp)
        return angles, total, count


def profile(angles, weights, grid, fwhm=0.4):
    sigma = fwhm / (2 * math.sqrt(2 * math.log(2)))
    d = grid[:, None] - angles[None, :]
    return np.exp(-0.5 * (d / sigma) ** 2) @ weights


def main():
    a = 5.64
    fcc = np.array([(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)])
    salt = Crystal(a * np.eye(3), ["Na"] * 4 + ["Cl"] * 4, np.vstack([fcc, (fcc + 0.5) % 1]))
    print(salt)
    angles, total, count = salt.powder(1.5406)
    strong = total > 0.01 * total.max()
    print("angle   rel.   mult")
    for t, w, m in zip(angles[strong], total[strong] / total.max() * 100, count[strong]):
        print(f"{t:7.3f} {w:6.2f} {m:4d}")
    grid = np.linspace(20, 90, 351)
    y = profile(angles, total, grid)
    peaks = np.flatnonzero((y[1:-1] > y[:-2]) & (y[1:-1] > y[2:])) + 1
    print(grid[peaks].round(2))


main()
