"""The wave equation."""

import numpy as np

from settings import Settings
from state import State


class Solver:
    def __init__(self, settings: Settings):
        self.settings = settings
        self.state = State.pulse(settings.cells)
        self.mask = np.ones(settings.cells, dtype=bool)
        if settings.kind != "periodic":
            self.mask[0] = self.mask[-1] = False

    def step(self):
        s, c = self.state, self.settings.courant
        force = np.roll(s.u, 1) - 2.0 * s.u + np.roll(s.u, -1)
        s.v = (s.v + c * force) * self.mask
        s.u = s.u + c * s.v
        s.time += c
        s.probe.add(float(s.u[7]))

    def run(self):
        for _ in range(self.settings.steps):
            self.step()
        return self.state
