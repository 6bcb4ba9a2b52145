#!/usr/bin/env python3
"""Brownian dynamics of an ensemble of Rouse chains, with mode analysis, against theory."""
import sys

import numpy as np


class RouseEnsemble:
    """n_chains phantom chains of n_beads beads; reduced units (b = kT = zeta = 1)."""

    def __init__(self, n_chains, n_beads, dt, seed=7):
        self.n_chains = n_chains
        self.n_beads = n_beads
        self.dt = dt
        self.k = 3.0
        self.rng = np.random.RandomState(seed)
        steps = self.rng.normal(0.0, np.sqrt(1.0 / self.k), (n_chains, n_beads, 3))
        self.pos = np.cumsum(steps, axis=1)
        self.pos -= self.pos.mean(axis=1, keepdims=True)
        self.force = np.zeros_like(self.pos)
        self.time = 0.0

    def compute_forces(self):
        bond = self.pos[:, 1:] - self.pos[:, :-1]
        self.force[:] = 0.0
        self.force[:, :-1] += self.k * bond
        self.force[:, 1:] -= self.k * bond

    def step(self):
        self.compute_forces()
        noise = self.rng.normal(0.0, np.sqrt(2.0 * self.dt), self.pos.shape)
        self.pos += self.force * self.dt + noise
        self.time += self.dt

    def run(self, n_steps, every):
        frames = []
        times = []
        for i in range(n_steps):
            if i % every == 0:
                frames.append(self.pos.copy())
                times.append(self.time)
            self.step()
        return np.array(times), np.stack(frames)


class Analysis:
    def __init__(self, times, frames):
        self.times = times
        self.frames = frames
        self.n_frames, self.n_chains, self.n_beads, _ = frames.shape

    def end_to_end(self):
        ree = self.frames[:, :, -1] - self.frames[:, :, 0]
        corr = np.zeros(self.n_frames)
        for lag in range(self.n_frames):
            dots = (ree[: self.n_frames - lag] * ree[lag:]).sum(axis=-1)
            corr[lag] = dots.mean()
        return ree, corr / corr[0]

    def gyration(self):
        com = self.frames.mean(axis=2, keepdims=True)
        d = self.frames - com
        tensor = np.einsum("fcbi,fcbj->fcij", d, d) / self.n_beads
        ev = np.linalg.eigvalsh(tensor)
        rg2 = ev.sum(axis=-1)
        asphericity = ev[..., 2] - 0.5 * (ev[..., 0] + ev[..., 1])
        return rg2, asphericity

    def modes(self, n_modes):
        """Rouse normal coordinates X_p and their autocorrelation."""
        n = self.n_beads
        p = np.arange(n_modes)[:, None]
        i = np.arange(n)[None, :]
        basis = np.cos(np.pi * p * (i + 0.5) / n) / n
        X = np.einsum("pb,fcbi->pfci", basis, self.frames)
        amp = (X ** 2).sum(axis=-1).mean(axis=(1, 2))
        acf = np.empty((n_modes, self.n_frames))
        for q in range(n_modes):
            for lag in range(self.n_frames):
                acf[q, lag] = np.mean(np.sum(X[q, : self.n_frames - lag] * X[q, lag:], axis=-1))
        return amp, acf

    def msd(self):
        middle = self.frames[:, :, self.n_beads // 2]
        com = self.frames.mean(axis=2)
        g1 = []
        g3 = []
        for frame, centre in zip(middle, com):
            g1.append(((frame - middle[0]) ** 2).sum(axis=1).mean())
            g3.append(((centre - com[0]) ** 2).sum(axis=1).mean())
        return np.array(g1), np.array(g3)

    def contact_profile(self, frame, cutoff, chain=0):
        """How often beads i and j of one chain are in contact, by their distance along the chain."""
        pos = self.frames[frame, chain]
        n = self.n_beads
        profile = np.zeros(n, dtype=np.int64)
        closest = np.full(n, np.inf)
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                dx = pos[i, 0] - pos[j, 0]
                dy = pos[i, 1] - pos[j, 1]
                dz = pos[i, 2] - pos[j, 2]
                r2 = dx * dx + dy * dy + dz * dz
                if r2 < cutoff * cutoff:
                    profile[abs(i - j)] += 1
                if abs(i - j) > 3 and r2 < closest[i]:
                    closest[i] = r2
        return profile, np.sqrt(closest)


def structure_factor(pos, qs):
    """Powder averaged S(q) of single chains by the Debye formula."""
    n_chains, n, _ = pos.shape
    out = np.zeros(len(qs))
    for chain in pos[:6]:
        d = np.sqrt(((chain[:, None] - chain[None]) ** 2).sum(axis=-1))
        for m, q in enumerate(qs):
            out[m] += np.sinc(q * d / np.pi).sum() / n
    return out / 6


def relaxation_time(times, acf):
    """Where the correlation first falls below 1/e, interpolated; nan if it never does."""
    level = acf[0] / np.e
    for k in range(1, len(acf)):
        if acf[k] < level:
            w = (acf[k - 1] - level) / (acf[k - 1] - acf[k])
            return times[k - 1] + w * (times[k] - times[k - 1])
    return times[-1]


def main(out):
    ens = RouseEnsemble(n_chains=48, n_beads=40, dt=0.05)
    times, frames = ens.run(50, every=2)
    ana = Analysis(times, frames)

    ree, ee_corr = ana.end_to_end()
    rg2, asph = ana.gyration()
    amp, acf = ana.modes(12)
    g1, g3 = ana.msd()
    profile, closest = ana.contact_profile(-1, cutoff=1.2)
    qs = np.geomspace(0.1, 5.0, 16)
    sq = structure_factor(frames[-1], qs)
    tau = np.array([relaxation_time(times, acf[q]) for q in range(5, 12)])

    print(f"<R2> = {np.mean((ree ** 2).sum(axis=-1)):.6f} (ideal {ens.n_beads - 1})")
    print(f"<Rg2> = {rg2.mean():.6f}, asphericity {asph.mean():.6f}")
    print(f"g3 / 6t = {g3[-1] / (6 * times[-1]):.8f} (Rouse {1 / ens.n_beads:.5f})")
    print("tau_p", " ".join(f"{t:.5f}" for t in tau))
    np.savez(out, ee_corr=ee_corr, rg2=rg2, asphericity=asph, amp=amp, acf=acf, g1=g1, g3=g3,
             profile=profile, closest=closest, sq=sq, tau=tau, final=ens.pos)


if __name__ == "__main__":
    main(sys.argv[1])
