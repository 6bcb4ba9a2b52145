"""Ride comfort of many quarter cars with different suspensions on random roads (ISO 8608)."""
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy import signal

G = 9.81


@dataclass
class Fleet:
    """Parameters of all vehicles, one value per vehicle."""
    body: np.ndarray
    wheel: np.ndarray
    spring: np.ndarray
    damper: np.ndarray
    tyre: np.ndarray

    @classmethod
    def sample(cls, n, rng):
        body = rng.uniform(240.0, 420.0, n)
        wheel = rng.uniform(28.0, 48.0, n)
        freq = rng.uniform(1.0, 1.6, n)
        spring = body * (2 * np.pi * freq) ** 2
        damper = 2 * rng.uniform(0.2, 0.4, n) * np.sqrt(spring * body)
        return cls(body, wheel, spring, damper, rng.uniform(1.5e5, 2.3e5, n))

    def __len__(self):
        return len(self.body)


class Suspension(ABC):
    """Force between body and wheel; positive lifts the body."""
    def __init__(self, fleet):
        self.fleet = fleet

    def force(self, travel, rate, body_speed):
        return -self.elastic(travel) - self.damping(rate, body_speed)

    def elastic(self, travel):
        return self.fleet.spring * travel

    @abstractmethod
    def damping(self, rate, body_speed): ...


class Passive(Suspension):
    label = "passive"

    def damping(self, rate, body_speed):
        return self.fleet.damper * rate


class Bilinear(Passive):
    """Softer in bump than in rebound, progressive bump stops."""

    label = "bilinear"

    def __init__(self, fleet, ratio=0.45, gap=0.045):
        super().__init__(fleet)
        self.ratio, self.gap = ratio, gap

    def elastic(self, travel):
        over = np.abs(travel) - self.gap
        stop = np.where(over > 0, np.sign(travel) * 8.0e6 * over**2, 0.0)
        return super().elastic(travel) + stop

    def damping(self, rate, body_speed):
        c = self.fleet.damper * np.where(rate < 0, self.ratio, 2 - self.ratio)
        return c * rate / np.sqrt(1 + (rate / 0.9) ** 2)


class Skyhook(Suspension):
    label = "skyhook"

    def __init__(self, fleet, gain=1.1, smooth=0.02):
        super().__init__(fleet)
        self.gain, self.smooth = gain, smooth

    def damping(self, rate, body_speed):
        blend = 0.5 * (1 + np.tanh(body_speed * rate / self.smooth))
        return 0.45 * self.fleet.damper * rate + self.gain * self.fleet.damper * blend * body_speed


class Simulation:
    def __init__(self, suspension, road, dt):
        self.s, self.road, self.dt = suspension, road, dt
        n = len(suspension.fleet)
        self.state = np.zeros((4, n))  # body, body speed, wheel, wheel speed

    def rates(self, y, road):
        f = self.s.fleet
        force = self.s.force(y[0] - y[2], y[1] - y[3], y[1])
        contact = f.tyre * np.maximum(road - y[2], -(f.body + f.wheel) * G / f.tyre)
        return np.stack([y[1], force / f.body, y[3], (contact - force) / f.wheel])

    def advance(self, k):
        a, b = self.road[:, k], self.road[:, k + 1]
        mid = 0.5 * (a + b)
        h, y = self.dt, self.state
        k1 = self.rates(y, a)
        k2 = self.rates(y + 0.5 * h * k1, mid)
        k3 = self.rates(y + 0.5 * h * k2, mid)
        k4 = self.rates(y + h * k3, b)
        self.state = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return k1[1]

    def run(self):
        """Body acceleration histories, wheel-load and travel statistics."""
        steps = self.road.shape[1] - 1
        acc = np.empty((self.road.shape[0], steps))
        load, travel = np.zeros(len(acc)), np.zeros(len(acc))
        for k in range(steps):
            acc[:, k] = self.advance(k)
            load += (self.s.fleet.tyre * (self.road[:, k + 1] - self.state[2])) ** 2
            np.maximum(travel, np.abs(self.state[0] - self.state[2]), out=travel)
        static = (self.s.fleet.body + self.s.fleet.wheel) * G
        return acc, np.sqrt(load / steps) / static, travel


def iso_road(n, length, dx, klass, rng, waves=160):
    """Profiles as sums of cosines with the spectrum of a road class, ground height 0 at the start."""
    x = np.arange(int(length / dx)) * dx
    freq = np.geomspace(0.012, 2.8, waves + 1)
    mid, width = np.sqrt(freq[:-1] * freq[1:]), np.diff(freq)
    level = 16e-6 * 4.0 ** "ABCDE".index(klass)
    amp = np.sqrt(2 * level * (mid / 0.1) ** -2.0 * width)
    phase = rng.uniform(0, 2 * np.pi, (n, waves))
    road = np.zeros((n, len(x)))
    for a, f, p in zip(amp, mid, phase.T):
        road += a * np.cos(2 * np.pi * f * x + p[:, None])
    return x, road * np.minimum(x / 4.0, 1.0)


def add_potholes(x, road, rng, per_road=2):
    for row in road:
        for _ in range(per_road):
            at, size = rng.uniform(0.2, 0.9) * x[-1], rng.uniform(0.015, 0.04)
            inside = np.abs(x - at) < 0.6
            row[inside] -= size * np.cos(np.pi * (x[inside] - at) / 1.2) ** 2
    return road


def at_speed(x, road, speed, dt):
    t = np.arange(int(x[-1] / speed / dt)) * dt
    return np.stack([np.interp(speed * t, x, row) for row in road])


def comfort(acc, dt):
    """Weighted rms acceleration: Welch spectra times a piecewise weighting curve."""
    f, psd = signal.welch(acc, 1 / dt, nperseg=512, axis=1)
    f[0] = f[1]
    w = np.where(f < 2, 0.4, np.where(f < 5, f / 5, np.where(f < 16, 1.0, 16 / f)))
    return np.sqrt((psd * w**2).sum(axis=1) * (f[2] - f[1])), psd.mean(axis=0)


def rainflow(series):
    """Ranges of closed cycles by the four-point rule on the turning points."""
    stack, ranges, last = [], [], None
    for v in series.tolist():
        if len(stack) > 1 and (stack[-1] - stack[-2]) * (v - stack[-1]) >= 0:
            stack[-1] = v
        elif v != last:
            stack.append(v)
        last = v
        while len(stack) > 3:
            a, b, c, d = stack[-4:]
            if abs(c - b) > min(abs(b - a), abs(d - c)):
                break
            ranges.append(abs(c - b))
            del stack[-3:-1]
    return np.array(ranges)


def main():
    rng = np.random.default_rng(8608)
    fleet = Fleet.sample(150, rng)
    dt, table, spectra, loads, damage = 0.005, [], [], [], []
    x, road = iso_road(len(fleet), 90.0, 0.05, "C", rng)
    track = at_speed(x, add_potholes(x, road, rng), 20.0, dt)
    for kind in (Passive, Bilinear, Skyhook):
        acc, load, travel = Simulation(kind(fleet), track, dt).run()
        ride, psd = comfort(acc, dt)
        cycles = rainflow(acc[7])
        damage.append((cycles**4).sum())
        table.append((ride.mean(), np.quantile(ride, 0.9), load.mean(), travel.max()))
        spectra.append(psd)
        loads.append(load)
        print(f"{kind.label:9s} comfort {table[-1][0]:.4f} / {table[-1][1]:.4f} m/s2, wheel load {table[-1][2]:.4f}, "
              f"travel {1e3 * table[-1][3]:.2f} mm, {len(cycles)} cycles")
    better = np.argmin(np.array(loads), axis=0)
    print("best wheel load:", " ".join(f"{k.label} {c}" for k, c in zip((Passive, Bilinear, Skyhook), np.bincount(better, minlength=3))))
    np.savez(sys.argv[1], table=np.array(table), spectra=np.array(spectra), loads=np.array(loads),
             damage=np.array(damage), track=track[:, ::5])


if __name__ == "__main__":
    main()
