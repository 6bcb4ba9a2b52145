"""What changes in a run."""

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

Energy = namedtuple("Energy", "kinetic potential")


@dataclass
class Probe:
    values: list = field(default_factory=list)

    def add(self, value):
        self.values.append(value)


@dataclass
class State:
    u: np.ndarray
    v: np.ndarray
    time: float = 0.0
    probe: Probe = field(default_factory=Probe)

    @classmethod
    def pulse(cls, cells, width=0.05):
        x = np.linspace(0.0, 1.0, cells, endpoint=False)
        u = np.exp(-(((x - 0.5) / width) ** 2))
        return cls(u, np.zeros_like(u))

    def energy(self):
        slope = np.roll(self.u, -1) - self.u
        return Energy(0.5 * np.sum(self.v**2), 0.5 * np.sum(slope**2))
