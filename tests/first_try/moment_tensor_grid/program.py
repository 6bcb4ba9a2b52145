"""Point-source moment tensor of a synthetic earthquake: waveform inversion in a homogeneous half-space
at every trial depth and origin time, then decomposition, bootstrap over stations and depth uncertainty."""
import sys
from dataclasses import dataclass, field

import numpy as np

VP, VS, RHO = 6.2, 3.55, 2.75
DT = 0.25
NT = 240
PAIRS = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]


@dataclass
class Network:
    xy: np.ndarray
    noise: np.ndarray
    weights: np.ndarray = field(init=False)

    def __post_init__(self):
        self.weights = 1.0 / self.noise

    def __len__(self):
        return len(self.xy)


@dataclass
class Solution:
    depth: float
    shift: float
    tensor: np.ndarray
    reduction: float


def source_pulse(t, width):
    """Displacement pulse of a smooth moment-rate function."""
    return np.exp(-((t - width) / (0.42 * width)) ** 2)


def radiation(direction, kind):
    """Far-field pattern, component by tensor element: (3, 6)."""
    g = direction
    out = np.zeros((3, 6))
    for e, (j, k) in enumerate(PAIRS):
        m = np.zeros((3, 3))
        m[j, k] = m[k, j] = 1.0
        if kind == "P":
            out[:, e] = g * (g @ m @ g)
        else:
            out[:, e] = m @ g - g * (g @ m @ g)
    return out


def greens(network, depth, width=2.0):
    """Design array (stations, components, samples, elements) for a source at the origin."""
    t = np.arange(NT) * DT
    g = np.zeros((len(network), 3, NT, 6))
    for s, (x, y) in enumerate(network.xy):
        for image, gain in ((-1.0, 1.0), (1.0, 0.35)):
            ray = np.array([x, y, image * depth])
            r = np.sqrt((ray**2).sum())
            unit = ray / r
            for kind, v in (("P", VP), ("S", VS)):
                amp = gain * 1e3 / (4 * np.pi * RHO * v**3 * r)
                pulse = amp * source_pulse(t - r / v, width)
                g[s] += radiation(unit, kind)[:, None, :] * pulse[None, :, None]
    return g


def delayed(data, samples):
    """Records as they would be for an origin that is that many samples later."""
    out = np.zeros_like(data)
    if samples > 0:
        out[..., :-samples] = data[..., samples:]
    elif samples < 0:
        out[..., -samples:] = data[..., :samples]
    else:
        out[...] = data
    return out


def invert(g, d, weights):
    """Weighted least squares for the six elements, with the variance reduction."""
    w = weights[:, None, None]
    a = (g * w[..., None]).reshape(-1, 6)
    b = (d * w).ravel()
    ata = a.T @ a
    ata += 1e-8 * np.trace(ata) / 6 * np.eye(6)
    m = np.linalg.solve(ata, a.T @ b)
    misfit = ((b - a @ m) ** 2).sum()
    return m, 1.0 - misfit / (b @ b)


def grid_search(network, data, depths, shifts):
    best = Solution(0.0, 0.0, np.zeros(6), -np.inf)
    surface = np.zeros((len(depths), len(shifts)))
    for i, depth in enumerate(depths):
        g = greens(network, depth)
        for j, n in enumerate(shifts):
            m, vr = invert(g, delayed(data, n), network.weights)
            surface[i, j] = vr
            if vr > best.reduction:
                best = Solution(depth, n * DT, m, vr)
    return best, surface


def full(m):
    t = np.zeros((3, 3))
    for e, (j, k) in enumerate(PAIRS):
        t[j, k] = t[k, j] = m[e]
    return t


def decompose(m):
    """Scalar moment, isotropic share, CLVD share and the tension-axis plunge."""
    t = full(m)
    iso = np.trace(t) / 3
    values, vectors = np.linalg.eigh(t - iso * np.eye(3))
    order = np.argsort(np.abs(values))
    eps = -values[order[0]] / abs(values[order[2]])
    scalar = np.sqrt((t**2).sum() / 2)
    plunge = np.degrees(np.arcsin(abs(vectors[2, 2])))
    return scalar, iso / (abs(iso) + abs(values[order[2]])), 2 * eps, plunge


def bootstrap(network, data, depth, samples, rng, rounds=150):
    """Resampled stations at the best node; spread of scalar moment and CLVD share."""
    g = greens(network, depth)
    d = delayed(data, samples)
    out = []
    for _ in range(rounds):
        pick = rng.integers(0, len(network), len(network))
        m, _ = invert(g[pick], d[pick], network.weights[pick])
        out.append(decompose(m))
    return np.array(out)


def main():
    rng = np.random.default_rng(1906)
    azimuth = np.sort(rng.uniform(0, 2 * np.pi, 14))
    dist = rng.uniform(25.0, 110.0, 14)
    network = Network(np.stack([dist * np.cos(azimuth), dist * np.sin(azimuth)], axis=1),
                      rng.uniform(0.4, 1.2, 14))
    true_m = np.array([1.9, -1.4, -0.3, 0.8, -0.5, 1.1])
    clean = greens(network, 13.3) @ true_m
    clean = delayed(clean, -9)
    scale = 0.03 * np.abs(clean).max()
    data = clean + scale * network.noise[:, None, None] * rng.normal(0.0, 1.0, clean.shape)

    depths = np.arange(4.0, 24.0, 0.4)
    shifts = list(range(-2, 22))
    best, surface = grid_search(network, data, depths, shifts)
    scalar, iso, clvd, plunge = decompose(best.tensor)
    boot = bootstrap(network, data, best.depth, round(best.shift / DT), rng)

    by_depth = surface.max(axis=1)
    near = depths[by_depth > by_depth.max() - 0.02137]
    print(f"best depth {best.depth:.1f} km, origin time {best.shift:+.2f} s, variance reduction {best.reduction:.4f}")
    print(f"depth range {near.min():.1f} to {near.max():.1f} km")
    print(f"moment {scalar:.4f} (+- {boot[:, 0].std():.4f}), isotropic {iso:.4f}, CLVD {clvd:.4f}, T plunge {plunge:.2f}")
    print("tensor " + " ".join(f"{v:.3f}" for v in best.tensor))
    np.savez(sys.argv[1], surface=surface, tensor=best.tensor, boot=boot, by_depth=by_depth)


if __name__ == "__main__":
    main()
