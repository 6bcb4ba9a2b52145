"""Planar inverse dynamics of recorded gait.

Marker trajectories and force-plate data of many strides are low-pass filtered, cut at heel
strike, normalised to the gait cycle and pushed through a chain of rigid segments from the foot
up to the thigh.  Joint moments, powers and work are compared between strides and subjects.
"""
import sys

import numpy as np
from scipy import signal

GRAVITY = 9.81
RATE = 200.0


class Segment:
    """Rigid body between a distal and a proximal joint (anthropometry after Winter)."""

    mass_share = 0.0
    com_share = 0.5        # from the proximal end
    gyration = 0.3         # about the centre of mass, over the length

    def __init__(self, body_mass, proximal, distal):
        self.mass = body_mass * self.mass_share
        self.proximal = proximal
        self.distal = distal
        self.com = proximal + self.com_share * (distal - proximal)
        length = np.mean(np.hypot(*np.moveaxis(distal - proximal, -1, 0)), axis=-1)
        self.inertia = self.mass * (self.gyration * length) ** 2
        self.angle = self.inclination()

    def inclination(self):
        d = self.proximal - self.distal
        return np.unwrap(np.arctan2(d[..., 1], d[..., 0]), axis=-1)

    def solve(self, dt, force, moment, point):
        """Load on the proximal joint from the load applied at `point` on the distal side."""
        acc = second_derivative(self.com, dt, axis=1)
        alpha = second_derivative(self.angle, dt, axis=1)
        weight = np.array([0.0, -self.mass * GRAVITY])
        up = self.mass * acc - force - weight
        lever_d = point - self.com
        lever_p = self.proximal - self.com
        turn = self.inertia[:, None] * alpha - moment - cross(lever_d, force) - cross(lever_p, up)
        return up, turn


class Foot(Segment):
    mass_share = 0.0145
    gyration = 0.475

    def inclination(self):
        d = self.distal - self.proximal
        return np.unwrap(np.arctan2(d[..., 1], d[..., 0]), axis=-1)


class Shank(Segment):
    mass_share = 0.0465
    com_share = 0.433
    gyration = 0.302


class Thigh(Segment):
    mass_share = 0.1
    com_share = 0.433
    gyration = 0.323


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def second_derivative(x, dt, axis):
    return np.gradient(np.gradient(x, dt, axis=axis), dt, axis=axis)


def record_subject(rng, strides, cadence, leg):
    """Marker positions (hip, knee, ankle, toe) and ground force of one walking trial."""
    lengths = np.clip(rng.normal(200.0 / cadence, 3.0, strides), 150, 260).astype(int)
    marks = np.concatenate([[0], np.cumsum(lengths)])
    n = marks[-1]
    phase = np.empty(n)
    for a, b in zip(marks[:-1], marks[1:]):
        phase[a:b] = np.arange(b - a) / (b - a)
    w = 2 * np.pi * phase
    hip = 0.30 * np.cos(w + 0.15) + 0.06 + 0.03 * np.cos(2 * w)
    knee = 0.33 - 0.28 * np.cos(w - 1.9) + 0.17 * np.cos(2 * w - 2.5) + 0.1
    ankle = 0.12 * np.sin(2 * w + 0.6) - 0.09 * np.cos(w - 0.8)
    speed = 0.62 * leg * 2.0 * cadence
    pos = np.empty((n, 4, 2))
    pos[:, 0, 0] = speed * np.arange(n) / RATE
    pos[:, 0, 1] = leg * 1.02 + 0.022 * np.cos(2 * w + 0.4)
    th, sh = hip, hip - knee
    ft = sh + ankle + 0.15
    pos[:, 1] = pos[:, 0] + 0.5 * leg * np.stack([np.sin(th), -np.cos(th)], axis=1)
    pos[:, 2] = pos[:, 1] + 0.5 * leg * np.stack([np.sin(sh), -np.cos(sh)], axis=1)
    pos[:, 3] = pos[:, 2] + 0.2 * leg * np.stack([np.cos(ft), np.sin(ft) - 0.25], axis=1)
    pos += rng.normal(0.0, 0.0012, pos.shape)
    stance = np.clip(phase / 0.62, 0.0, 1.0)
    fy = 1.05 * np.sin(np.pi * stance) + 0.32 * np.sin(3 * np.pi * stance)
    fx = -0.19 * np.sin(2 * np.pi * stance) * (phase < 0.62)
    force = np.stack([fx, np.clip(fy, 0.0, None)], axis=1) + rng.normal(0.0, 0.004, (n, 2))
    cop = pos[:, 2, 0] + 0.2 * leg * (stance - 0.15)
    return pos, force, cop


def heel_strikes(vertical, threshold=0.05, hold=20):
    """Samples where the load stays above the threshold after a swing phase."""
    hits, quiet, loaded = [], hold, False
    for k, f in enumerate(vertical.tolist()):
        if f < threshold:
            quiet += 1
            if quiet >= hold:
                loaded = False
            continue
        if not loaded and quiet >= hold:
            hits.append(k)
            loaded = True
        quiet = 0
    return hits


def low_pass(x, cutoff):
    b, a = signal.butter(4, cutoff / (RATE / 2))
    return signal.filtfilt(b, a, x, axis=0)


def normalise(x, hits, points=128):
    """Each stride resampled to a fixed number of points: (strides, points, ...)."""
    flat = x.reshape(len(x), -1)
    out = np.empty((len(hits) - 1, points, flat.shape[1]))
    base = np.arange(len(x))
    for s, (a, b) in enumerate(zip(hits[:-1], hits[1:])):
        at = a + (b - a) * np.arange(points) / (points - 1)
        for c in range(flat.shape[1]):
            out[s, :, c] = np.interp(at, base, flat[:, c])
    return out.reshape(out.shape[:2] + x.shape[1:])


def chain(pos, force, cop, mass, dt):
    """Moments and powers at ankle, knee and hip for all strides: (strides, points, 3) each."""
    hip, knee, ankle, toe = (pos[:, :, i] for i in range(4))
    load = force * mass * GRAVITY
    point = np.stack([cop, np.zeros_like(cop)], axis=-1)
    segments = [Foot(mass, ankle, toe), Shank(mass, knee, ankle), Thigh(mass, hip, knee)]
    moment = np.zeros_like(cop)
    moments, powers = [], []
    parents = [s.angle for s in segments[1:]] + [np.full_like(cop, np.pi / 2)]
    for seg, parent in zip(segments, parents):
        load, moment = seg.solve(dt, load, moment, point)
        rate = np.gradient(seg.angle - parent, dt, axis=1)
        moments.append(moment / mass)
        powers.append(moment * rate / mass)
        load, moment, point = -load, -moment, seg.proximal
    return np.stack(moments, axis=-1), np.stack(powers, axis=-1)


def work(power, dt):
    """Positive and negative work per stride and joint."""
    return (np.trapezoid(np.clip(power, 0.0, None), dx=dt, axis=1),
            np.trapezoid(np.clip(power, None, 0.0), dx=dt, axis=1))


def principal_strides(curves, keep=3):
    flat = curves.reshape(len(curves), -1)
    flat = flat - flat.mean(axis=0)
    u, s, vt = np.linalg.svd(flat, full_matrices=False)
    return s[:keep] ** 2 / (s**2).sum(), np.abs(vt[:keep]), np.abs(u[:, :keep] * s[:keep])


def main():
    rng = np.random.default_rng(1887)
    moments, pos_work, neg_work, group = [], [], [], []
    for subject in range(6):
        mass, leg, cadence = rng.uniform(55, 95), rng.uniform(0.8, 0.95), rng.uniform(0.85, 1.05)
        pos, force, cop = record_subject(rng, 50, cadence, leg)
        hits = heel_strikes(force[:, 1])
        pos, cop = low_pass(pos, 6.0), low_pass(cop, 6.0)
        force = low_pass(force, 20.0)
        dt = (hits[-1] - hits[0]) / (len(hits) - 1) / RATE / 127
        m, p = chain(normalise(pos, hits), normalise(force, hits), normalise(cop, hits), mass, dt)
        wp, wn = work(p, dt)
        moments.append(m)
        pos_work.append(wp)
        neg_work.append(wn)
        group += [subject] * len(m)
    curves = np.concatenate(moments)
    wp, wn, group = np.concatenate(pos_work), np.concatenate(neg_work), np.array(group)
    mean = np.stack([curves[group == g].mean(axis=0) for g in range(6)])
    spread = np.stack([curves[group == g].std(axis=0) for g in range(6)])
    share, modes, scores = principal_strides(curves)
    print(f"{len(curves)} strides")
    for j, joint in enumerate(("ankle", "knee", "hip")):
        print(f"{joint:5s} peak moment {mean[..., j].max():.3f} Nm/kg, work {wp[:, j].mean():.3f} / {wn[:, j].mean():.3f} J/kg")
    print("variance shares:", " ".join(f"{v:.4f}" for v in share))
    np.savez(sys.argv[1], mean=mean, spread=spread, share=share, modes=modes, scores=scores, wp=wp, wn=wn)


if __name__ == "__main__":
    main()
