import argparse
import logging
from pathlib import Path
from typing import NamedTuple, Protocol
import numpy as np

log = logging.getLogger(__name__)

class State(NamedTuple):
    rho: np.ndarray
    mom: np.ndarray
    ene: np.ndarray

class Flux(Protocol):
    def __call__(self, left: State, right: State) -> State: ...

def pressure(s: State, gamma: float = 1.4) -> np.ndarray:
    return (gamma - 1) * (s.ene - 0.5 * s.mom ** 2 / s.rho)

def physical(s: State) -> State:
    u = s.mom / s.rho
    p = pressure(s)
    return State(s.mom, s.mom * u + p, u * (s.ene + p))

def rusanov(left: State, right: State) -> State:
    fl, fr = physical(left), physical(right)
    c = np.maximum(wave(left), wave(right))
    return State(*(0.5 * (a + b) - 0.5 * c * (y - x) for a, b, x, y in zip(fl, fr, left, right)))

def wave(s: State) -> np.ndarray:
    return np.abs(s.mom / s.rho) + np.sqrt(1.4 * pressure(s) / s.rho)

def step(s: State, dx: float, cfl: float, flux: Flux) -> tuple[State, float]:
    dt = cfl * dx / float(wave(s).max())
    padded = State(*(np.pad(q, 1, mode="edge") for q in s))
    f = flux(State(*(q[:-1] for q in padded)), State(*(q[1:] for q in padded)))
    return State(*(q - dt / dx * (g[1:] - g[:-1]) for q, g in zip(s, f))), dt

def sod(n: int) -> tuple[np.ndarray, State]:
    x = (np.arange(n) + 0.5) / n
    rho = np.where(x < 0.5, 1.0, 0.125)
    p = np.where(x < 0.5, 1.0, 0.1)
    return x, State(rho, np.zeros(n), p / 0.4)

def main(argv=None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=200)
    parser.add_argument("--time", type=float, default=0.1)
    args = parser.parse_args(argv)
    x, s = sod(args.cells)
    t = 0.0
    steps = 0
    while t < args.time:
        s, dt = step(s, 1 / args.cells, 0.4, rusanov)
        t += dt
        steps += 1
        if steps % 10 == 0:
            log.info("t=%.4f mass=%.6f", t, s.rho.sum() / args.cells)
    print(steps, round(t, 8), *(round(float(q.mean()), 8) for q in s))

if __name__ == "__main__":
    main([])
