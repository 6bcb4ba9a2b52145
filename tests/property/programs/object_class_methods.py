"""Fields made after the others, and instances made by the class itself."""

import sys
from dataclasses import dataclass, field
import numpy as np

@dataclass
class Grid:
    n: int
    dx: float = 0.1
    u: np.ndarray = field(init=False)
    mask: np.ndarray = field(init=False, repr=False)
    log: list = field(default_factory=list)

    def __post_init__(self):
        x = np.arange(self.n) * self.dx
        self.u = np.sin(x)[:, None] * np.cos(x)[None, :]
        self.mask = self.u > 0

    def smooth(self, k):
        for _ in range(k):
            u = self.u
            avg = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1))
            self.u = np.where(self.mask, avg, u)
            self.log.append(float(np.abs(self.u - u).max()))
        return self

    @classmethod
    def small(cls):
        return cls(16)

def main(path):
    g = Grid(64).smooth(8)
    h = Grid.small()
    h.u[3, :] = -1.0
    h.mask[:2] = False
    h.smooth(2)
    np.savez(path, u=g.u, log=g.log, h=h.u, m=h.mask, n=g.mask.sum())

if __name__ == "__main__":
    main(sys.argv[1])
