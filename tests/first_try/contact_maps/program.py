"""Residue contact maps from a short protein trajectory.

A compact C-alpha/C-beta model chain is generated, perturbed over a few frames, and the
contact frequency, relative contact order, per-residue burial and the matrix of
frame-to-frame contact overlap are computed.
"""
import sys
from itertools import combinations

import numpy as np

rng = np.random.default_rng(7041)
NRES = 110
NFRAME = 8
CUTOFF = 8.0       # angstrom, C-beta to C-beta
MINSEP = 3


def model_chain(n):
    """C-alpha trace winding around three helical segments packed side by side."""
    s = np.arange(n)
    seg = s // 37
    local = s % 37
    turn = np.deg2rad(100.0) * local
    up = np.where(seg % 2 == 0, local, 36 - local) * 1.5
    ca = np.empty((n, 3))
    ca[:, 0] = 2.3 * np.cos(turn) + 9.0 * np.cos(2.0 * np.pi * seg / 3.0)
    ca[:, 1] = 2.3 * np.sin(turn) + 9.0 * np.sin(2.0 * np.pi * seg / 3.0)
    ca[:, 2] = up
    return ca


def pseudo_cbeta(ca):
    """C-beta positions 2.4 A along the bisector pointing away from the neighbours."""
    cb = ca.copy()
    b = 2.0 * ca[1:-1] - ca[:-2] - ca[2:]
    length = np.linalg.norm(b, axis=1, keepdims=True)
    cb[1:-1] += 2.4 * b / np.maximum(length, 1e-6)
    return cb


def contact_map(cb, cutoff):
    """Boolean contact matrix by an explicit pair loop, sequence neighbours left out."""
    n = len(cb)
    c2 = cutoff * cutoff
    contact = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(i + MINSEP, n):
            dx = cb[i, 0] - cb[j, 0]
            dy = cb[i, 1] - cb[j, 1]
            dz = cb[i, 2] - cb[j, 2]
            if dx * dx + dy * dy + dz * dz < c2:
                contact[i, j] = True
                contact[j, i] = True
    return contact


def burial(ca, cb, cone=0.4):
    """Half-sphere exposure: neighbours within 13 A on the C-beta side of each residue."""
    up = cb - ca
    up /= np.maximum(np.sqrt((up ** 2).sum(axis=1)), 1e-9)[:, None]
    delta = ca[None, :, :] - ca[:, None, :]
    d = np.sqrt(np.einsum("ijk,ijk->ij", delta, delta))
    np.fill_diagonal(d, np.inf)
    cosang = np.einsum("ijk,ik->ij", delta, up) / d
    return np.count_nonzero((d < 13.0) & (cosang > cone), axis=1)


def separation_profile(contact):
    """Number of contacts at each sequence separation."""
    i, j = np.nonzero(np.triu(contact))
    return np.bincount(j - i, minlength=len(contact))


def contact_order(contact):
    i, j = np.nonzero(np.triu(contact))
    return (j - i).sum() / (len(i) * len(contact))


def longest_run(flags):
    """Longest stretch of consecutive residues that are all buried."""
    best = run = 0
    for f in flags:
        if f:
            run += 1
            best = max(best, run)
        else:
            run = 0
    return best


def first_long_range(contact, sep):
    """For every residue, the first partner at least sep residues further on (-1: none)."""
    n = contact.shape[0]
    partner = np.full(n, -1)
    for i in range(n):
        for j in range(i + sep, n):
            if contact[i, j]:
                partner[i] = j
                break
    return partner


base = model_chain(NRES)
modes = rng.normal(size=(3, NRES, 3))
for m in modes:                                  # smooth the collective modes along the chain
    for _ in range(6):
        m[1:-1] = 0.25 * m[:-2] + 0.5 * m[1:-1] + 0.25 * m[2:]

frames = []
for t in range(NFRAME):
    amp = np.array([np.cos(0.9 * t), np.sin(0.7 * t), np.cos(0.4 * t + 1.0)])
    frames.append(base + 1.5 * np.tensordot(amp, modes, axes=1) + rng.normal(0.0, 0.25, base.shape))

maps, orders, profile = [], [], np.zeros(NRES, dtype=np.int64)
exposure = np.zeros(NRES)
for xyz in frames:
    beta = pseudo_cbeta(xyz)
    cm = contact_map(beta, CUTOFF)
    maps.append(cm)
    orders.append(contact_order(cm))
    profile += separation_profile(cm)
    exposure += burial(xyz, beta)
exposure /= NFRAME

frequency = np.mean([m.astype(float) for m in maps], axis=0)
overlap = np.eye(NFRAME)
for a, b in combinations(range(NFRAME), 2):
    both = np.logical_and(maps[a], maps[b]).sum()
    either = np.logical_or(maps[a], maps[b]).sum()
    overlap[a, b] = overlap[b, a] = both / either

partner = first_long_range(maps[0], 12)
buried = exposure > np.median(exposure)
persistent = np.argwhere(np.triu(frequency > 0.7))

print("contacts per frame:", " ".join(str(int(m.sum()) // 2) for m in maps))
print(f"relative contact order {np.mean(orders):.5f} +- {np.std(orders):.5f}")
print(f"persistent contacts {len(persistent)}, mean overlap {overlap[np.triu_indices(NFRAME, 1)].mean():.5f}")
print(f"longest buried stretch {longest_run(buried)}, residues with a long-range partner {int((partner >= 0).sum())}")

np.savez(sys.argv[1], frequency=frequency, orders=np.array(orders), profile=profile, exposure=exposure,
         overlap=overlap, partner=partner, persistent=persistent)
