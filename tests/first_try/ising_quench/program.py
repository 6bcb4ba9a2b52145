"""Quench of a 2-D Ising ferromagnet below its critical temperature.

Checkerboard heat-bath sweeps bring the lattice down, a short single-site
Metropolis run follows, and clusters, correlations and the structure factor
of the coarsening pattern are measured.
"""
import sys

import numpy as np

SETTINGS = {
    "size": 64,
    "t_start": 4.0,
    "t_end": 1.5,
    "sweeps": 40,
    "flips": 3000,
    "field": 0.02,
    "seed": 8111,
}


def neighbour_sum(s):
    return (np.roll(s, 1, axis=0) + np.roll(s, -1, axis=0)
            + np.roll(s, 1, axis=1) + np.roll(s, -1, axis=1))


def checkerboard(n):
    i, j = np.indices((n, n))
    even = (i + j) % 2 == 0
    return even, ~even


def heat_bath(s, mask, beta, h, u):
    """Redraw the spins of one sublattice from their local distribution."""
    local = neighbour_sum(s) + h
    p_up = 1.0 / (1.0 + np.exp(-2.0 * beta * local))
    s[mask] = np.where(u < p_up, 1, -1)[mask]


def energy(s, h):
    """Energy per site and magnetisation per site."""
    right = np.roll(s, -1, axis=1)
    below = np.roll(s, -1, axis=0)
    e = -(s * (right + below)).sum() - h * s.sum()
    return e / s.size, s.mean()


def metropolis(s, beta, h, sites, u):
    """Single-site updates in the given order; every trial sees the earlier flips."""
    n = s.shape[0]
    accepted = 0
    for k in range(len(u)):
        i, j = sites[k]
        around = s[(i + 1) % n, j] + s[i - 1, j] + s[i, (j + 1) % n] + s[i, j - 1]
        de = 2.0 * s[i, j] * (around + h)
        if de <= 0.0 or u[k] < np.exp(-beta * de):
            s[i, j] = -s[i, j]
            accepted += 1
    return accepted


def find(parent, a):
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    return a


def clusters(s):
    """Union-find labels of the domains of equal spin (open boundaries)."""
    n = s.shape[0]
    parent = np.arange(n * n)
    for i in range(n):
        for j in range(n):
            here = i * n + j
            if i > 0 and s[i - 1, j] == s[i, j]:
                a, b = find(parent, here), find(parent, here - n)
                parent[max(a, b)] = min(a, b)
            if j > 0 and s[i, j - 1] == s[i, j]:
                a, b = find(parent, here), find(parent, here - 1)
                parent[max(a, b)] = min(a, b)
    labels = np.empty(n * n, dtype=np.int64)
    for k in range(n * n):
        labels[k] = find(parent, k)
    return labels.reshape(n, n)


def cluster_sizes(labels):
    counts = np.bincount(labels.ravel(), minlength=labels.size)
    sizes = np.sort(counts[counts > 0])[::-1]
    return sizes


def defects(s):
    """Number of unlike neighbours of every site of the open lattice."""
    n, m = s.shape
    walls = np.zeros((n, m), dtype=np.int64)
    for i in range(n):
        for j in range(m):
            count = 0
            for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                a, b = i + di, j + dj
                if 0 <= a < n and 0 <= b < m and s[a, b] != s[i, j]:
                    count += 1
            walls[i, j] = count
    return walls


def structure_factor(s, bins):
    """Radially averaged |FFT|^2 of the magnetisation pattern."""
    n = s.shape[0]
    power = np.abs(np.fft.fft2(s - s.mean())) ** 2 / s.size
    k = np.fft.fftfreq(n) * n
    radius = np.sqrt(k[:, None] ** 2 + k[None, :] ** 2)
    which = np.minimum(radius.astype(int), bins - 1)
    total = np.bincount(which.ravel(), weights=power.ravel(), minlength=bins)
    return total / np.bincount(which.ravel(), minlength=bins)


def correlation(s, reach):
    c = np.empty(reach)
    m2 = s.mean() ** 2
    for r in range(reach):
        c[r] = 0.5 * ((s * np.roll(s, r, axis=0)).mean() + (s * np.roll(s, r, axis=1)).mean()) - m2
    return c


def block_spins(s, b):
    n = s.shape[0] // b
    return np.sign(s.reshape(n, b, n, b).sum(axis=(1, 3)))


def run(cfg):
    rng = np.random.default_rng(cfg["seed"])
    n = cfg["size"]
    s = np.where(rng.random((n, n)) < 0.5, 1, -1)
    even, odd = checkerboard(n)
    out = {"energy": [], "magnetisation": []}
    for t in np.linspace(cfg["t_start"], cfg["t_end"], cfg["sweeps"]):
        for mask in (even, odd):
            heat_bath(s, mask, 1.0 / t, cfg["field"], rng.random((n, n)))
        e, m = energy(s, cfg["field"])
        out["energy"].append(e)
        out["magnetisation"].append(m)
    out["structure"] = structure_factor(s, 30)
    out["correlation"] = correlation(s, 20)
    sites = rng.integers(0, n, (cfg["flips"], 2))
    accepted = metropolis(s, 1.0 / cfg["t_end"], cfg["field"], sites, rng.random(cfg["flips"]))
    out["labels"] = clusters(s)
    out["sizes"] = cluster_sizes(out["labels"])
    out["walls"] = defects(s)
    out["blocks"] = block_spins(s, 4)
    out["spins"] = s
    return out, accepted


if __name__ == "__main__":
    result, accepted = run(SETTINGS)
    np.savez(sys.argv[1], **{name: np.asarray(a) for name, a in result.items()})
    print(f"final energy {result['energy'][-1]:.6f}, magnetisation {result['magnetisation'][-1]:.6f}")
    print(f"{accepted} of {SETTINGS['flips']} flips accepted")
    print(f"{len(result['sizes'])} clusters, the largest of {result['sizes'][0]} sites")
