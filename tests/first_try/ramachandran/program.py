# Ramachandran statistics: backbone dihedrals of an ensemble of chains, periodic density of (phi, psi),
# region populations, helix-run lengths, correlation along the chain and mutual information.
import sys
from itertools import groupby

import numpy as np

BONDS = {"N": (1.329, 121.7), "CA": (1.458, 111.0), "C": (1.525, 117.2)}
BASINS = [  # phi, psi, spread, share
    (-63.0, -43.0, 9.0, 0.46), (-120.0, 130.0, 22.0, 0.30),
    (-70.0, 145.0, 14.0, 0.17), (57.0, 42.0, 11.0, 0.07)]
REGIONS = {"alpha": (-100.0, -30.0, -80.0, 0.0), "beta": (-180.0, -90.0, 90.0, 180.0),
           "ppII": (-90.0, -40.0, 110.0, 180.0), "left": (30.0, 90.0, 0.0, 90.0)}


def draw_states(rng, chains, length):
    """Basin of every residue from a chain that tends to stay where it is."""
    share = np.array([b[3] for b in BASINS])
    edges = np.cumsum(share)[:-1]
    u = rng.random((chains, length))
    stay = rng.random((chains, length)) < 0.72
    state = np.searchsorted(edges, u)
    for i in range(1, length):
        state[:, i] = np.where(stay[:, i], state[:, i - 1], state[:, i])
    return state


def draw_angles(state, rng):
    centre = np.radians([[b[0], b[1]] for b in BASINS])
    spread = np.radians([b[2] for b in BASINS])
    noise = rng.standard_normal(state.shape + (2,))
    noise[..., 1] -= 0.4 * noise[..., 0]
    angles = centre[state] + spread[state][..., None] * noise
    return angles[..., 0], angles[..., 1]


def place(a, b, c, length, angle, torsion):
    """Position of the next atom of every chain from the last three (NeRF)."""
    bc = c - b
    bc = bc / np.linalg.norm(bc, axis=1, keepdims=True)
    n = np.cross(b - a, bc)
    n = n / np.linalg.norm(n, axis=1, keepdims=True)
    m = np.cross(n, bc)
    x = -length * np.cos(angle)
    y = length * np.sin(angle) * np.cos(torsion)
    z = length * np.sin(angle) * np.sin(torsion)
    return c + x * bc + y[:, None] * m + z[:, None] * n


def build_chains(phi, psi, omega):
    """(chain, residue, atom N CA C, xyz) coordinates."""
    chains, length = phi.shape
    xyz = np.zeros((chains, length, 3, 3))
    xyz[:, 0] = [[0.0, 0.0, 0.0], [1.458, 0.0, 0.0], [2.0, 1.42, 0.0]]
    prev = [xyz[:, 0, k] for k in range(3)]
    for i in range(1, length):
        torsions = (psi[:, i - 1], omega[:, i - 1], phi[:, i])
        for k, (name, torsion) in enumerate(zip(("N", "CA", "C"), torsions)):
            bond, angle = BONDS[name]
            atom = place(*prev, bond, np.radians(angle), torsion)
            xyz[:, i, k] = atom
            prev = [prev[1], prev[2], atom]
    return xyz


def dihedral(p0, p1, p2, p3):
    b0, b1, b2 = p1 - p0, p2 - p1, p3 - p2
    n1, n2 = np.cross(b0, b1), np.cross(b1, b2)
    axis = b1 / np.linalg.norm(b1, axis=-1, keepdims=True)
    return np.arctan2(np.sum(np.cross(n1, n2) * axis, axis=-1), np.sum(n1 * n2, axis=-1))


def backbone_dihedrals(xyz):
    n, ca, c = xyz[:, :, 0], xyz[:, :, 1], xyz[:, :, 2]
    phi = dihedral(c[:, :-2], n[:, 1:-1], ca[:, 1:-1], c[:, 1:-1])
    psi = dihedral(n[:, 1:-1], ca[:, 1:-1], c[:, 1:-1], n[:, 2:])
    omega = dihedral(ca[:, :-1], c[:, :-1], n[:, 1:], ca[:, 1:])
    return phi, psi, omega


def density(phi, psi, bins=72, kappa=60.0):
    """Periodic kernel density on a square grid, as a product of von Mises kernels."""
    centres = (np.arange(bins) + 0.5) * 2 * np.pi / bins - np.pi
    total = np.zeros((bins, bins))
    flat_phi, flat_psi = phi.ravel(), psi.ravel()
    block = 4000
    for start in range(0, len(flat_phi), block):
        kp = np.exp(kappa * (np.cos(flat_phi[start:start + block, None] - centres) - 1.0))
        ks = np.exp(kappa * (np.cos(flat_psi[start:start + block, None] - centres) - 1.0))
        total += kp.T @ ks
    cell = (2 * np.pi / bins) ** 2
    return total / (total.sum() * cell)


def populations(phi, psi):
    phi, psi = np.degrees(phi), np.degrees(psi)
    masks = {}
    for name, (a, b, c, d) in REGIONS.items():
        masks[name] = (phi >= a) & (phi < b) & (psi >= c) & (psi < d)
    return masks, np.array([m.mean() for m in masks.values()])


def helix_runs(mask):
    """Histogram of the lengths of unbroken helical stretches, 12 and more in the last bin."""
    counts = [0] * 13
    for row in mask.tolist():
        for value, group in groupby(row):
            if value:
                counts[min(sum(1 for _ in group), 12)] += 1
    return np.array(counts)


def circular_correlation(angle, lags):
    """Mean of cos(a_i - a_{i+lag}) less the squared resultant, per lag."""
    resultant = np.cos(angle).mean() ** 2 + np.sin(angle).mean() ** 2
    return np.array([np.cos(angle[:, k:] - angle[:, :-k]).mean() - resultant for k in lags])


def mutual_information(phi, psi, bins=36):
    """Between phi and psi of the same residue and psi of one and phi of the next, in nats."""
    def info(a, b):
        ia = np.minimum(((a + np.pi) * (bins / (2 * np.pi))).astype(np.int64), bins - 1)
        ib = np.minimum(((b + np.pi) * (bins / (2 * np.pi))).astype(np.int64), bins - 1)
        joint = np.bincount((ia * bins + ib).ravel(), minlength=bins * bins).reshape(bins, bins) / ia.size
        outer = joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None, :]
        safe = np.where(joint > 0, joint, 1.0)
        return np.sum(joint * np.log(safe / np.where(joint > 0, outer, 1.0)))

    return np.array([info(phi, psi), info(psi[:, :-1], phi[:, 1:])])


def gyration(xyz):
    ca = xyz[:, :, 1]
    d = ca - ca.mean(axis=1, keepdims=True)
    return np.sqrt((d**2).sum(axis=2).mean(axis=1))


def main():
    rng = np.random.default_rng(1963)
    state = draw_states(rng, 500, 120)
    phi, psi = draw_angles(state, rng)
    omega = np.pi + np.radians(4.0) * rng.standard_normal(phi.shape)
    xyz = build_chains(phi, psi, omega)
    phi, psi, omega = backbone_dihedrals(xyz)
    grid = density(phi, psi)
    masks, share = populations(phi, psi)
    runs = helix_runs(masks["alpha"])
    corr = circular_correlation(psi, range(1, 9))
    info = mutual_information(phi, psi)
    rg = gyration(xyz)
    print("populations " + ", ".join(f"{k} {v:.4f}" for k, v in zip(masks, share)))
    print(f"density peak {grid.max():.4f} rad^-2, helical runs {runs.sum()}, longest bin {runs[-1]}")
    print(f"mutual information {info[0]:.4f} and {info[1]:.4f} nats, mean Rg {rg.mean():.3f} A")
    np.savez(sys.argv[1], grid=grid, share=share, runs=runs, corr=corr, info=info, rg=rg,
             planarity=np.cos(omega).mean(axis=0))


if __name__ == "__main__":
    main()
