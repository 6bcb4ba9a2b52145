# dataclass with fields, replace, static, two instances swapping arrays
import sys
from dataclasses import dataclass, field
import numpy as np


@dataclass
class P:
    pos: np.ndarray
    vel: np.ndarray
    mass: float = 1.0
    tags: list = field(default_factory=list)

    def kick(self, f, dt):
        self.vel += f / self.mass * dt

    def drift(self, dt):
        self.pos += self.vel * dt

    @property
    def energy(self):
        return 0.5 * self.mass * np.sum(self.vel**2)

    @staticmethod
    def force(x):
        return -np.sin(x)


def step(p, dt):
    p.kick(P.force(p.pos), dt)
    p.drift(dt)
    return p


def main(path):
    x0 = np.linspace(-1, 1, 30)
    a = P(x0.copy(), np.zeros(30))
    b = P(vel=np.ones(30), pos=x0, mass=2.0)
    for i in range(8):
        a = step(a, 0.1)
        step(b, 0.05)
        a.tags.append(i)
    a.pos, b.pos = b.pos, a.pos
    e = [a.energy, b.energy]
    np.savez(path, ap=a.pos, bp=b.pos, e=np.array(e), x0=x0, n=len(a.tags))


if __name__ == "__main__":
    main(sys.argv[1])
