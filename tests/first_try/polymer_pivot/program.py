# Bead-spring polymers in a poor and a good solvent: many independent chains under Metropolis moves
# (crankshaft of single beads and pivots of the tail), with radius of gyration, structure factor,
# end-to-end correlation and blocked errors per temperature.
import math
import sys

import numpy as np


class Ensemble:
    """Chains of n beads at joined distance one, with a square-shoulder core and a Lennard-Jones tail."""

    def __init__(self, chains, beads, beta, rng):
        self.beta = beta
        self.rng = rng
        self.pos = np.empty((chains, beads, 3))
        for c in range(chains):
            self.pos[c] = self_avoiding_start(beads, rng)
        self.energy = np.array([chain_energy(p) for p in self.pos])
        self.accepted = np.zeros((2, chains), dtype=np.int64)

    def draw(self, sweeps):
        chains, beads = self.pos.shape[:2]
        return (self.rng.integers(1, beads - 1, (sweeps, chains, 2)),
                self.rng.uniform(-1.0, 1.0, (sweeps, chains, 2)),
                unit_vectors(self.rng.standard_normal((sweeps, chains, 3))),
                self.rng.random((sweeps, chains, 2)))

    def crankshaft(self, c, i, turn, u):
        """Turns bead i about the line through its neighbours."""
        chain = self.pos[c]
        axis = chain[i + 1] - chain[i - 1]
        length = math.sqrt(axis @ axis)
        if length < 1e-6:
            return
        new = chain[i - 1] + rotate(chain[i] - chain[i - 1], axis / length, math.pi * turn)
        delta = bead_energy(chain, i, new) - bead_energy(chain, i, chain[i])
        if delta <= 0.0 or u < math.exp(-self.beta * delta):
            chain[i] = new
            self.energy[c] += delta
            self.accepted[0, c] += 1

    def pivot(self, c, i, axis, turn, u):
        """Turns all beads after i about an axis through bead i."""
        chain = self.pos[c]
        trial = chain.copy()
        trial[i + 1:] = chain[i] + rotate(chain[i + 1:] - chain[i], axis, 0.5 * math.pi * turn)
        energy = chain_energy(trial)
        delta = energy - self.energy[c]
        if delta <= 0.0 or u < math.exp(-self.beta * delta):
            self.pos[c] = trial
            self.energy[c] = energy
            self.accepted[1, c] += 1

    def run(self, sweeps, every):
        """Yields the ensemble after each group of sweeps."""
        sites, turns, axes, us = self.draw(sweeps)
        for s in range(sweeps):
            for c in range(len(self.pos)):
                self.crankshaft(c, sites[s, c, 0], turns[s, c, 0], us[s, c, 0])
                self.pivot(c, sites[s, c, 1], axes[s, c], turns[s, c, 1], us[s, c, 1])
            if (s + 1) % every == 0:
                yield self.pos


def unit_vectors(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def self_avoiding_start(beads, rng):
    """Random walk that leans forward; a step that comes too near to the chain is drawn again."""
    chain = np.zeros((beads, 3))
    i = 1
    while i < beads:
        step = rng.standard_normal(3) + np.array([1.5, 0.0, 0.0])
        chain[i] = chain[i - 1] + step / np.linalg.norm(step)
        gap = ((chain[:i - 1] - chain[i]) ** 2).sum(axis=1)
        if i < 2 or gap.min() > 0.9:
            i += 1
    return chain


def rotate(v, axis, angle):
    """Rodrigues' formula."""
    c, s = math.cos(angle), math.sin(angle)
    along = np.dot(v, axis)
    cross = np.stack([axis[1] * v[..., 2] - axis[2] * v[..., 1],
                      axis[2] * v[..., 0] - axis[0] * v[..., 2],
                      axis[0] * v[..., 1] - axis[1] * v[..., 0]], axis=-1)
    return v * c + cross * s + np.multiply.outer(along, axis) * (1.0 - c)


def pair_energy(r2):
    inv = 0.64 / np.maximum(r2, 0.25)
    lj = 4.0 * (inv**6 - inv**3)
    return np.where(r2 < 4.0, np.minimum(lj, 50.0), 0.0)


def bead_energy(chain, i, at):
    r2 = ((chain - at) ** 2).sum(axis=1)
    e = pair_energy(r2)
    e[max(i - 1, 0):i + 2] = 0.0
    return float(e.sum())


def chain_energy(chain):
    d = chain[:, None, :] - chain[None, :, :]
    e = pair_energy((d * d).sum(axis=2))
    return float(np.triu(e, k=2).sum())


def gyration(pos):
    """Squared radius of gyration and asphericity of each chain."""
    dev = pos - pos.mean(axis=1, keepdims=True)
    tensor = np.einsum("cni,cnj->cij", dev, dev) / pos.shape[1]
    w = np.linalg.eigvalsh(tensor)
    rg2 = w.sum(axis=1)
    spread = (w[:, 0] - w[:, 1]) ** 2 + (w[:, 1] - w[:, 2]) ** 2 + (w[:, 2] - w[:, 0]) ** 2
    return rg2, 0.5 * spread / rg2**2


def structure_factor(pos, q):
    """Debye sum over all pairs, mean over the chains."""
    n = pos.shape[1]
    out = np.zeros(len(q))
    for chain in pos:
        r = np.sqrt(((chain[:, None] - chain[None]) ** 2).sum(axis=2))
        for k, qk in enumerate(q):
            out[k] += np.sinc(qk * r / np.pi).sum()
    return out / (len(pos) * n)


def bond_correlation(pos, longest=10):
    bonds = np.diff(pos, axis=1)
    return np.array([(bonds[:, k:] * bonds[:, :bonds.shape[1] - k]).sum(axis=2).mean() for k in range(longest)])


def blocked_error(series):
    """Flyvbjerg-Petersen: error of the mean, the largest over halvings of the series."""
    if len(series) < 4:
        return 0.0
    m = sum(series) / len(series)
    err = math.sqrt(sum((v - m) ** 2 for v in series) / (len(series) * (len(series) - 1)))
    halves = [0.5 * (a + b) for a, b in zip(series[::2], series[1::2])]
    return max(err, blocked_error(halves))


def main():
    rng = np.random.default_rng(1953)
    q = np.geomspace(0.15, 6.0, 12)
    saved = {}
    for label, beta in (("good", 0.1), ("poor", 1.1)):
        ens = Ensemble(16, 24, beta, rng)
        track, factor = [], []
        for k, pos in enumerate(ens.run(160, 8)):
            rg2, asph = gyration(pos)
            track.append(float(rg2.mean()))
            if k % 4 == 3:
                factor.append(structure_factor(pos, q))
        tail = track[4:]
        print(f"{label}: Rg2 {sum(tail) / len(tail):.3f} +- {blocked_error(tail):.3f}, "
              f"asphericity {asph.mean():.4f}, energy {ens.energy.mean():.3f}")
        print(f"      accepted {ens.accepted[0].sum()} crankshafts, {ens.accepted[1].sum()} pivots")
        saved.update({f"{label}_rg2": np.array(track), f"{label}_sq": np.mean(factor, axis=0),
                      f"{label}_bond": bond_correlation(ens.pos), f"{label}_energy": ens.energy,
                      f"{label}_accepted": ens.accepted})
    np.savez(sys.argv[1], **saved)


if __name__ == "__main__":
    main()
