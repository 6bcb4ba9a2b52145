"""Motorway corridor: microscopic car following on a ring, macroscopic cell transmission, detectors, ramp metering."""
from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np


class Ring:
    """Intelligent driver model on a closed loop; vehicle i follows vehicle i+1."""

    length = 24000.0
    headway = 1.4
    jam_gap = 2.0
    car = 4.6

    def __init__(self, n: int, rng: np.random.Generator) -> None:
        self.n = n
        self.pos = np.arange(n) * (self.length / n) + rng.uniform(-3.0, 3.0, n)
        self.vel = rng.uniform(18.0, 24.0, n)
        self.acc = np.zeros(n)
        self.desired = rng.normal(31.0, 2.0, n)
        self.accel = rng.uniform(0.9, 1.5, n)
        self.brake = rng.uniform(1.6, 2.4, n)

    def accelerations(self) -> np.ndarray:
        acc = np.empty(self.n)
        for i in range(self.n):
            lead = i + 1 if i + 1 < self.n else 0
            gap = self.pos[lead] - self.pos[i] - self.car
            if lead == 0:
                gap += self.length
            closing = self.vel[i] - self.vel[lead]
            want = self.jam_gap + self.vel[i] * self.headway
            want += self.vel[i] * closing / (2.0 * np.sqrt(self.accel[i] * self.brake[i]))
            want = max(want, self.jam_gap)
            acc[i] = self.accel[i] * (1.0 - (self.vel[i] / self.desired[i]) ** 4 - (want / gap) ** 2)
        return acc

    def advance(self, dt: float) -> None:
        self.acc = np.maximum(self.accelerations(), -6.0)
        moved = self.vel * dt + 0.5 * self.acc * dt ** 2
        self.pos += np.where(moved > 0.0, moved, 0.0)
        self.vel += self.acc * dt
        np.clip(self.vel, 0.0, 40.0, out=self.vel)


def trajectories(ring: Ring, dt: float, steps: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    step = 0
    while step < steps:
        ring.advance(dt)
        step += 1
        yield step, ring.pos % ring.length, ring.vel


def detector_counts(pos: np.ndarray, vel: np.ndarray, length: float, nbin: int) -> tuple[np.ndarray, np.ndarray]:
    """Density (veh/km) and space-mean speed in equal sections."""
    section = (pos / (length / nbin)).astype(np.int64)
    section[section == nbin] = nbin - 1
    count = np.zeros(nbin)
    speed = np.zeros(nbin)
    for s, v in zip(section, vel):
        count[s] += 1
        speed[s] += v
    return count * nbin / (length / 1000.0), speed / np.maximum(count, 1.0)


def overtaking_wishes(pos: np.ndarray, vel: np.ndarray, desired: np.ndarray, look: int) -> np.ndarray:
    """Number of the next `look` vehicles that each driver would like to pass, stopping at the first faster one."""
    n = len(pos)
    wishes = np.zeros(n, dtype=np.int32)
    for i in range(n):
        k = 1
        while k <= look:
            j = (i + k) % n
            if vel[j] >= 0.53 * desired[i]:
                break
            wishes[i] += 1
            k += 1
    return wishes


def cell_transmission(rho: np.ndarray, lanes: np.ndarray, inflow: np.ndarray, dt: float, dx: float):
    """Daganzo scheme; returns the densities over time and the outflow at the end."""
    vfree, wave, jam = 28.0, 5.5, 0.14
    capacity = lanes * jam * vfree * wave / (vfree + wave)
    record = np.empty((inflow.size, rho.size))
    out = np.zeros(inflow.size)
    for t, demand in enumerate(inflow):
        send = np.minimum(vfree * rho, capacity)
        take = np.minimum(capacity, wave * (lanes * jam - rho))
        q = np.zeros(rho.size + 1)
        q[1:-1] = np.minimum(send[:-1], take[1:])
        q[0] = np.minimum(demand, take[0])
        q[-1] = send[-1]
        rho = rho + dt / dx * (q[:-1] - q[1:])
        record[t] = rho
        out[t] = q[-1]
    return record, out


def queue_tail(record: np.ndarray, lanes: np.ndarray, critical: float) -> np.ndarray:
    """Most upstream congested cell of each time step, or -1."""
    jammed = record > critical * lanes
    return np.where(jammed.any(axis=1), jammed.argmax(axis=1), -1)


def ramp_meter(arrivals: np.ndarray, occupancy: np.ndarray, target: float, gain: float):
    """ALINEA control of one ramp with a finite queue and a rate limit."""
    rate = 0.25
    waiting = 0.0
    released = np.zeros(len(arrivals))
    queue = np.zeros(len(arrivals))
    for t in range(len(arrivals)):
        rate = min(max(rate + gain * (target - occupancy[t]), 0.05), 0.5)
        if waiting > 40.0:
            rate = 0.5
        waiting += arrivals[t]
        go = min(waiting, rate * 10.0)
        waiting -= go
        released[t] = go
        queue[t] = waiting
    return released, queue


def delays(arrive: np.ndarray, leave: np.ndarray, dt: float) -> tuple[np.ndarray, float]:
    """Vertical queue between two cumulative curves."""
    up = np.cumsum(arrive) * dt
    down = np.cumsum(leave) * dt
    stored = np.maximum(up - down, 0.0)
    return stored, float(stored.sum() * dt / max(up[-1], 1.0))


def od_assignment(cost: np.ndarray, demand: np.ndarray, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """Logit split of every origin-destination pair over its routes."""
    shifted = -theta * (cost - cost.min(axis=2, keepdims=True))
    weight = np.exp(shifted)
    share = weight / weight.sum(axis=2, keepdims=True)
    flow = demand[:, :, None] * share
    return flow, np.einsum("odr,odr->od", share, cost)


def main(argv: list[str]) -> None:
    rng = np.random.default_rng(405)
    ring = Ring(800, rng)
    density, speed = [], []
    for step, pos, vel in trajectories(ring, 0.5, 30):
        if step % 5 == 0:
            d, s = detector_counts(pos, vel, ring.length, 48)
            density.append(d)
            speed.append(s)
    density, speed = np.array(density), np.array(speed)
    wishes = overtaking_wishes(ring.pos, ring.vel, ring.desired, 12)

    ncell = 1200
    lanes = np.full(ncell, 3.0)
    lanes[760:800] = 2.0
    start = 0.010 + 0.03 * np.exp(-((np.arange(ncell) - 500.0) / 90.0) ** 2) + 0.008 * rng.random(ncell)
    inflow = 1.7 + 0.4 * np.sin(np.arange(50) / 8.0)
    record, outflow = cell_transmission(start * lanes, lanes, inflow, 3.0, 100.0)
    tail = queue_tail(record, lanes, 0.03)

    arrivals = rng.poisson(3.4, 240).astype(float)
    occupancy = 0.22 + 0.1 * np.sin(np.arange(240) / 30.0) + 0.02 * rng.standard_normal(240)
    released, queue = ramp_meter(arrivals, occupancy, 0.22, 0.4)
    stored, wait = delays(arrivals, released, 10.0)

    flow, cost = od_assignment(rng.uniform(8.0, 30.0, (60, 60, 5)), rng.gamma(2.0, 40.0, (60, 60)), 0.35)

    print(f"ring: mean speed {ring.vel.mean():.8f} m/s, slowest {ring.vel.min():.6f}, wishes {wishes.sum()}")
    print(f"cells: vehicles {100.0 * record[-1].sum():.6f}, jam tail {tail[-1]}, outflow {outflow.mean():.6f} veh/s")
    print(f"ramp: longest queue {queue.max():.4f}, mean wait {wait:.4f} s")
    print(f"assignment: {flow.sum():.4f} trips, mean cost {np.average(cost):.6f} min")
    np.savez(argv[1], pos=ring.pos, vel=ring.vel, density=density, speed=speed, wishes=wishes, record=record,
             outflow=outflow, tail=tail, released=released, queue=queue, stored=stored, flow=flow, cost=cost)


if __name__ == "__main__":
    main(sys.argv)
