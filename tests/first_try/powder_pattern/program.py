"""Structure factors, powder pattern and cell refinement for a rutile-like crystal."""
import itertools
import sys

import numpy as np

CELL = (4.594, 4.594, 2.959, 90.0, 90.0, 90.0)
WAVELENGTH = 1.5406
ATOMS = {
    "Ti": {"z": 22.0, "b": 0.5, "xyz": [(0.0, 0.0, 0.0), (0.5, 0.5, 0.5)]},
    "O": {"z": 8.0, "b": 0.7, "xyz": [(0.305, 0.305, 0.0), (0.695, 0.695, 0.0),
                                      (0.195, 0.805, 0.5), (0.805, 0.195, 0.5)]},
}


def metric_tensor(cell):
    a, b, c = cell[:3]
    al, be, ga = np.radians(cell[3:])
    return np.array([[a * a, a * b * np.cos(ga), a * c * np.cos(be)],
                     [a * b * np.cos(ga), b * b, b * c * np.cos(al)],
                     [a * c * np.cos(be), b * c * np.cos(al), c * c]])


def reflections(limit):
    hkl = [t for t in itertools.product(range(-limit, limit + 1), repeat=3) if any(t)]
    return np.array(hkl, dtype=float)


def d_spacings(hkl, metric):
    recip = np.linalg.inv(metric)
    return 1.0 / np.sqrt(np.einsum("ni,ij,nj->n", hkl, recip, hkl))


def structure_factors(hkl, d, atoms):
    """Sum over all sites with a Debye-Waller damped form factor."""
    s2 = 0.25 / d ** 2
    total = np.zeros(len(hkl), dtype=complex)
    for species in atoms.values():
        f = species["z"] * np.exp(-(4.0 + species["b"]) * s2)
        for site in species["xyz"]:
            phase = 2.0 * np.pi * (hkl @ np.array(site))
            total += f * np.exp(1j * phase)
    return total


def lorentz_polarisation(theta):
    return (1.0 + np.cos(2.0 * theta) ** 2) / (np.sin(theta) ** 2 * np.cos(theta))


def powder_profile(grid, centres, intensity, width):
    """Pseudo-Voigt peaks summed on the angle grid."""
    y = np.zeros(grid.size)
    for i in range(grid.size):
        acc = 0.0
        for j in range(centres.size):
            u = (grid[i] - centres[j]) / width
            if abs(u) > 25.0:
                continue
            acc += intensity[j] * (0.5 * np.exp(-0.6931471805599453 * u * u) + 0.5 / (1.0 + u * u))
        y[i] = acc
    return y


def background(y, passes):
    """Iterative clipping from below (SNIP)."""
    b = np.sqrt(y + 1.0)
    for m in range(1, passes + 1):
        mean = 0.5 * (b[2 * m:] + b[:-2 * m])
        b[m:-m] = np.minimum(b[m:-m], mean)
    return b ** 2 - 1.0


def find_peaks(y, height):
    flags = np.zeros(y.size, dtype=bool)
    for i in range(1, y.size - 1):
        flags[i] = y[i] > height and y[i] > y[i - 1] and y[i] >= y[i + 1]
    return np.flatnonzero(flags)


def refine_tetragonal(hkl, d):
    """Least squares for 1/a^2 and 1/c^2."""
    design = np.column_stack([hkl[:, 0] ** 2 + hkl[:, 1] ** 2, hkl[:, 2] ** 2])
    rhs = 1.0 / d ** 2
    p = np.linalg.solve(design.T @ design, design.T @ rhs)
    return 1.0 / np.sqrt(p)


def electron_density(hkl, factors, n, volume):
    grid = np.zeros((n, n, n), dtype=complex)
    index = hkl.astype(int) % n
    grid[index[:, 0], index[:, 1], index[:, 2]] = factors
    grid[0, 0, 0] = 76.0
    return np.fft.fftn(grid).real / volume


if __name__ == "__main__":
    metric = metric_tensor(CELL)
    volume = np.sqrt(np.linalg.det(metric))
    hkl = reflections(4)
    d = d_spacings(hkl, metric)
    visible = WAVELENGTH / (2.0 * d) < 0.9
    hkl, d = hkl[visible], d[visible]
    f = structure_factors(hkl, d, ATOMS)
    theta = np.arcsin(WAVELENGTH / (2.0 * d))
    intensity = np.abs(f) ** 2 * lorentz_polarisation(theta)
    two_theta = np.degrees(2.0 * theta)
    grid = np.linspace(20.0, 90.0, 1401)
    noise = np.random.default_rng(1).random(grid.size)
    pattern = powder_profile(grid, two_theta, intensity, 0.15) + 200.0 + 20.0 * noise
    base = background(pattern, 20)
    peaks = find_peaks(pattern - base, 2500.0)
    cell = refine_tetragonal(hkl, d)
    rho = electron_density(hkl, f, 16, volume)
    print(f"volume {volume:.4f}, {len(hkl)} reflections, {len(peaks)} peaks")
    print(f"refined a {cell[0]:.5f} c {cell[1]:.5f}, highest density {rho.max():.4f}")
    np.savez(sys.argv[1], d=d, f2=np.abs(f) ** 2, pattern=pattern, base=base, peaks=peaks,
             cell=cell, rho=rho)
