"""Leapfrog with a state in a named tuple."""
import sys
from typing import NamedTuple
import numpy as np


class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray
    t: float = 0.0


def force(x):
    return -np.sin(x) - 0.1 * x


def step(s: State, dt: float) -> State:
    v = s.v + 0.5 * dt * force(s.x)
    x = s.x + dt * v
    v = v + 0.5 * dt * force(x)
    return State(x, v, s.t + dt)


def energy(s: State):
    return np.sum(0.5 * s.v**2 + (1 - np.cos(s.x)))


def main(path):
    s = State(np.linspace(-3, 3, 4001), np.zeros(4001))
    for _ in range(50):
        s = step(s, 0.01)
    np.savez(path, x=s.x, v=s.v, t=s.t, e=energy(s))


if __name__ == "__main__":
    main(sys.argv[1])
