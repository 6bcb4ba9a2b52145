import sys

import numpy as np

from collections import namedtuple
from dataclasses import dataclass, field

Pair = namedtuple("Pair", "x y")


@dataclass
class State:
    u: np.ndarray
    v: np.ndarray = field(default_factory=lambda: np.ones(3))
    t: float = 0.0

    def step(self, dt):
        self.u += dt * np.sin(self.v)
        self.v = self.v - dt * self.u
        self.t += dt
        return self

    @property
    def energy(self):
        return 0.5 * np.sum(self.u**2 + self.v**2)


def advance(state, dt):
    state.u[:] = np.cos(state.u) + dt
    return Pair(state.u * 2, state.v)


s = State(np.arange(3.0))
for _ in range(3):
    s.step(0.1)
p = advance(s, 0.5)
print(s.t, type(s.energy).__name__, p._fields)
np.savez(sys.argv[1], u=s.u, v=s.v, e=s.energy, x=p.x, y=p.y)
