"""Of what is recorded of each step one number is known, and beside it one that is not."""

import sys

import numpy as np


class Box:
    def __init__(self, n):
        self.pos = np.arange(2.0 * n).reshape(n, 2)

    def forces(self):
        energy = 0.0
        for i in range(len(self.pos)):
            energy += float(self.pos[i, 0])
        return energy

    def step(self, dt, dense=True):
        f = self.forces if dense else self.other
        self.pos += np.sin(dt * self.pos)
        e = f()
        return e, 0.5 * (self.pos**2).sum()

    def other(self):
        return 0.25 * np.sum(self.pos * (self.pos + 1))


if __name__ == "__main__":
    box = Box(36)
    log = [box.step(0.002, dense=k % 3 != 0) for k in range(9)]
    np.savez(sys.argv[1], log=np.array(log), pos=box.pos)
    print(np.array(log).sum(axis=1).round(7))
