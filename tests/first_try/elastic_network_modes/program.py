"""Anisotropic network models of a family of small chain-like folds: Hessians, normal modes,
B-factors, cross-correlations, mode overlap between members and collectivity."""
import sys
from typing import NamedTuple

import numpy as np

CUTOFF = 9.0
BOND = 3.8
N_RES = 36


class Structure(NamedTuple):
    name: str
    xyz: np.ndarray
    mass: np.ndarray


class Modes(NamedTuple):
    values: np.ndarray
    vectors: np.ndarray

    def bfactors(self, first=6):
        """Mean square fluctuation per residue, unit force constant and temperature."""
        w = self.vectors[:, first:] ** 2 / self.values[first:]
        return w.reshape(-1, 3, w.shape[1]).sum(axis=(1, 2))

    def correlation(self, first=6, count=30):
        v = self.vectors[:, first:first + count].reshape(-1, 3, count)
        cov = np.einsum("iam,jam,m->ij", v, v, 1.0 / self.values[first:first + count])
        d = np.sqrt(np.diag(cov))
        return cov / np.outer(d, d)

    def collectivity(self, first=6, count=12):
        """Effective share of residues that take part in each mode."""
        v = self.vectors[:, first:first + count].reshape(-1, 3, count)
        u2 = (v**2).sum(axis=1)
        p = u2 / u2.sum(axis=0)
        return np.exp(-(p * np.log(p + 1e-15)).sum(axis=0)) / len(p)


def fold(rng, n=N_RES):
    """A chain of alternating helix turns and bends that is kept compact by a soft pull."""
    xyz = np.zeros((n, 3))
    direction = np.array([1.0, 0.0, 0.0])
    k = 1
    tries = 0
    while k < n:
        pull = xyz[:k].mean(axis=0) - xyz[k - 1]
        trial = direction + rng.normal(0.0, 0.7, 3) + 0.05 * pull
        trial /= np.linalg.norm(trial)
        new = xyz[k - 1] + BOND * trial
        tries += 1
        if k > 1 and np.min(np.linalg.norm(xyz[:k - 1] - new, axis=1)) < 4.2 and tries < 60:
            continue
        xyz[k], direction = new, trial
        k += 1
        tries = 0
    return xyz - xyz.mean(axis=0)


def family(base, members, rng):
    """Members with smooth displacements and point noise."""
    s = np.linspace(0, 1, len(base))
    for i in range(members):
        amp = rng.normal(0.0, 0.5, (4, 3))
        bend = sum(amp[m] * np.sin((m + 1) * np.pi * s)[:, None] for m in range(4))
        yield Structure(f"m{i:03d}", base + bend + rng.normal(0.0, 0.15, base.shape),
                        rng.uniform(57.0, 186.0, len(base)))


def hessian(structure):
    """Mass-weighted Hessian: springs between residues within the cutoff, weaker with distance."""
    x = structure.xyz
    n = len(x)
    h = np.zeros((3 * n, 3 * n))
    for i in range(n):
        for j in range(i + 1, n):
            d = x[j] - x[i]
            r2 = d @ d
            if r2 > CUTOFF**2 and j > i + 3:
                continue
            k = 10.0 if j == i + 1 else (6.0 / np.sqrt(r2)) ** 2
            block = -k * np.outer(d, d) / r2
            a, b = slice(3 * i, 3 * i + 3), slice(3 * j, 3 * j + 3)
            h[a, b] = block
            h[b, a] = block
            h[a, a] -= block
            h[b, b] -= block
    w = np.repeat(1.0 / np.sqrt(structure.mass / 110.0), 3)
    return h * w[:, None] * w[None, :]


def superpose(mobile, target):
    """Optimal rotation of Kabsch."""
    u, _, vt = np.linalg.svd(mobile.T @ target)
    sign = np.sign(np.linalg.det(u @ vt))
    return u @ np.diag([1.0, 1.0, sign]) @ vt


def subspace_overlap(a, b, rotation, first=6, count=8):
    """Root mean square inner product of two low-frequency subspaces after superposition."""
    va = a.vectors[:, first:first + count].reshape(-1, 3, count)
    va = np.einsum("iam,ab->ibm", va, rotation).reshape(-1, count)
    return np.sqrt(((va.T @ b.vectors[:, first:first + count]) ** 2).sum() / count)


def density_of_states(all_modes, edges):
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    for modes in all_modes:
        freq = np.sqrt(np.maximum(modes.values[6:], 0.0))
        counts += np.histogram(freq, bins=edges)[0]
    return counts


def main():
    rng = np.random.default_rng(2024)
    base = fold(rng)
    structures = list(family(base, 160, rng))
    results = []
    for s in structures:
        values, vectors = np.linalg.eigh(hessian(s))
        results.append(Modes(values, vectors))

    bfac = np.stack([m.bfactors() for m in results])
    coll = np.stack([m.collectivity() for m in results])
    corr = np.zeros((N_RES, N_RES))
    for m in results:
        corr += m.correlation()
    corr /= len(results)

    reference = structures[0]
    overlap = np.array([subspace_overlap(m, results[0], superpose(s.xyz, reference.xyz))
                        for s, m in zip(structures[1:], results[1:])])
    rmsd = np.array([np.sqrt(((s.xyz @ superpose(s.xyz, reference.xyz) - reference.xyz) ** 2).sum() / N_RES)
                     for s in structures])
    dos = density_of_states(results, np.linspace(0.0, 8.013, 33))

    lowest = np.array([m.values[6] for m in results])
    mean_b = bfac.mean(axis=0)
    profile = np.array([np.corrcoef(b, mean_b)[0, 1] for b in bfac])
    print(f"{len(results)} structures, softest mode {lowest.mean():.5f} on average, {lowest.min():.5f} at least")
    print(f"B-factor profile correlation {profile.mean():.4f}, most mobile residue {int(np.argmax(mean_b))}")
    print(f"subspace overlap {overlap.mean():.4f} +- {overlap.std():.4f}, rmsd {rmsd.mean():.4f}")
    print(f"collectivity of the first mode {coll[:, 0].mean():.4f}; modes counted {dos.sum()}")
    np.savez(sys.argv[1], bfac=bfac, coll=coll, corr=corr, overlap=overlap, rmsd=rmsd, dos=dos, lowest=lowest)


if __name__ == "__main__":
    main()
