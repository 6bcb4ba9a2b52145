"""Seismic trace processing: gain, mute, stacking, semblance velocity analysis."""
from __future__ import annotations

import argparse
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Gather:
    traces: np.ndarray
    offsets: np.ndarray
    dt: float = 0.004
    history: list = field(default_factory=list)

    @property
    def n_samples(self) -> int:
        return self.traces.shape[1]

    def times(self):
        return np.arange(self.n_samples) * self.dt

    def log(self, *, step, **values):
        self.history.append((step, sorted(values.items())))


@contextmanager
def quiet():
    old = np.seterr(divide="ignore", invalid="ignore")
    try:
        yield
    finally:
        np.seterr(**old)


def synthetic(n_off, n_samp, events, *, dt=0.004, noise=0.02, seed=3):
    rng = np.random.RandomState(seed)
    offsets = np.linspace(50.0, 1500.0, n_off)
    t = np.arange(n_samp) * dt
    out = noise * rng.randn(n_off, n_samp)
    for t0, v, amp in events:
        arrival = np.sqrt(t0**2 + (offsets / v) ** 2)
        tau = t[np.newaxis, :] - arrival[:, np.newaxis]
        a = (np.pi * 25.0 * tau) ** 2
        out += amp * (1 - 2 * a) * np.exp(-a)
    return Gather(out, offsets, dt)


def agc(x, window=21, *, eps=1e-9):
    """Automatic gain control by a running RMS computed with a cumulative sum."""
    half = window // 2
    padded = np.pad(x**2, ((0, 0), (half + 1, half)), mode="edge")
    c = np.cumsum(padded, axis=1)
    energy = (c[:, window:] - c[:, :-window]) / window
    with quiet():
        gain = 1.0 / np.sqrt(energy + eps)
    gain[~np.isfinite(gain)] = 0.0
    return x * gain


def mute(g: Gather, slope):
    t = g.times()
    m = t[None, :] >= slope * g.offsets[:, None]
    g.traces *= m
    g.log(step="mute", kept=int(m.sum()))
    return m


def nmo(g: Gather, velocity):
    t = g.times()
    src = np.sqrt(t[None, :] ** 2 + (g.offsets[:, None] / velocity) ** 2) / g.dt
    lo = np.floor(src).astype(int)
    w = src - lo
    ok = lo < g.n_samples - 1
    lo_c = np.minimum(lo, g.n_samples - 2)
    rows = np.arange(len(g.offsets))[:, None]
    out = (1 - w) * g.traces[rows, lo_c] + w * g.traces[rows, lo_c + 1]
    return np.where(ok, out, 0.0)


def semblance(g: Gather, velocities):
    spec = np.zeros((len(velocities), g.n_samples))
    for k, v in enumerate(velocities):
        flat = nmo(g, v)
        num = flat.sum(axis=0) ** 2
        den = (flat**2).sum(axis=0) * flat.shape[0]
        with np.errstate(all="ignore"):
            s = num / den
        s[den < 1e-6] = 0
        spec[k] = s
    return spec


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--offsets", type=int, default=24)
    args = ap.parse_args(argv)
    g = synthetic(args.offsets, 300, [(0.3, 1800.0, 1.0), (0.7, 2300.0, -0.8)])
    m = mute(g, 0.0003)
    balanced = agc(g.traces)
    velocities = np.arange(1500.0, 2800.0, 100.0)
    spec = semblance(g, velocities)
    picks = velocities[spec.argmax(axis=0)]
    best = np.unravel_index(np.argmax(spec), spec.shape)
    stack = nmo(g, picks[best[1]]).mean(axis=0)
    print(f"best velocity {velocities[best[0]]:.0f} at {best[1] * g.dt:.3f}s, history {g.history}")
    print("peak", round(float(np.abs(stack).max()), 6), "rms", "%.5f" % np.sqrt(np.mean(stack**2)))
    np.savez(args.out, balanced=balanced, spec=spec, picks=picks, stack=stack, mask=m)


if __name__ == "__main__":
    main()
