"""Orbit propagation: Kepler solver vectorised, RK4 with J2, ground track events."""
import math
from collections import namedtuple
from functools import partial
from typing import Callable, Iterator

import numpy as np

MU = 398600.4418
RE = 6378.137
J2 = 1.08262668e-3

Elements = namedtuple("Elements", "a e i raan argp m")
Event = namedtuple("Event", ["t", "kind", "value"])


def kepler(m, e, tol=1e-13):
    E = m + e * np.sin(m)
    for _ in range(30):
        f = E - e * np.sin(E) - m
        d = f / (1 - e * np.cos(E))
        E = E - d
        if (np.abs(d) < tol).all():
            return E
    raise RuntimeError("no convergence")


def rot3(t):
    c, s = math.cos(t), math.sin(t)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rot1(t):
    c, s = math.cos(t), math.sin(t)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def state(el: Elements, t: np.ndarray):
    n = math.sqrt(MU / el.a**3)
    E = kepler((el.m + n * t) % (2 * math.pi), el.e)
    b = el.a * math.sqrt(1 - el.e**2)
    pos = np.stack([el.a * (np.cos(E) - el.e), b * np.sin(E), np.zeros_like(E)])
    rate = n / (1 - el.e * np.cos(E))
    vel = np.stack([-el.a * np.sin(E) * rate, b * np.cos(E) * rate, np.zeros_like(E)])
    R = rot3(el.raan) @ rot1(el.i) @ rot3(el.argp)
    return (R @ pos).T, (R @ vel).T


def gravity(y, j2=True):
    r = y[..., :3]
    d = np.linalg.norm(r, axis=-1, keepdims=True)
    a = -MU * r / d**3
    if j2:
        z2 = (r[..., 2:] / d) ** 2
        k = 1.5 * J2 * MU * RE**2 / d**5
        a += k * r * (5 * z2 - np.array([1.0, 1.0, 3.0]))
    return np.concatenate([y[..., 3:], a], axis=-1)


def rk4(f: Callable, y: np.ndarray, h: float) -> np.ndarray:
    k1 = f(y)
    k2 = f(y + 0.5 * h * k1)
    k3 = f(y + 0.5 * h * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * (k2 + k3) + k4)


def propagate(y0, h, steps, *, j2=True) -> Iterator[tuple[float, np.ndarray]]:
    f = partial(gravity, j2=j2)
    y, t = y0.copy(), 0.0
    yield t, y
    for _ in range(steps):
        y = rk4(f, y, h)
        t += h
        yield t, y


def nodes(ts, zs):
    events = []
    for k in np.flatnonzero(np.sign(zs[:-1]) != np.sign(zs[1:])):
        w = zs[k] / (zs[k] - zs[k + 1])
        events.append(Event(float(ts[k] + w * (ts[k + 1] - ts[k])), "up" if zs[k + 1] > zs[k] else "down", int(k)))
    return events


def main():
    el = Elements(7000.0, 0.01, math.radians(98), 0.3, 1.1, 0.0)
    ts = np.linspace(0, 6000, 61)
    r, v = state(el, ts)
    energy = 0.5 * (v**2).sum(1) - MU / np.linalg.norm(r, axis=1)
    print(f"{energy.mean():.6f} {np.ptp(energy) < 1e-9}")
    r0, v0 = (np.squeeze(x) for x in state(el, np.zeros(1)))
    y0 = np.hstack([r0, v0])
    path = list(propagate(y0, 20.0, 300, j2=False))
    ys = np.array([y for _, y in path])
    times = np.array([t for t, _ in path])
    ref, _ = state(el, times)
    print(f"{np.abs(ys[:, :3] - ref).max() < 1e-2}")
    for e in nodes(times, ys[:, 2]):
        print(f"{e.kind:>4} {e.t:9.3f} {e.value}")
    swarm = y0 + np.linspace(-1, 1, 5)[:, None] * np.array([1, 0, 0, 0, 0.001, 0])
    for t, y in propagate(swarm, 60.0, 20):
        last = y
    print(np.round(last[:, :3], 2))


if __name__ == "__main__":
    main()
