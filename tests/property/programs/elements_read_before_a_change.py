"""Parts of an array of any rank, under names that are last read before it changes."""

import sys

import numpy as np


class Gas:
    """All that is kept of the state is read before it changes."""

    def __init__(self, shape):
        self.state = np.ones((3, *shape))

    def speed(self, axis):
        h = self.state[0]
        velocity = self.state[1 + axis] / h
        return np.abs(velocity) + np.sqrt(9.81 * h)

    def energy(self):
        h, hu, hv = self.state
        return float(np.sum((hu**2 + hv**2) / h + h**2))

    def cool(self):
        first = self.state[0]
        last = first * 0.5
        self.state[1] = self.state[1] * 2 - first * 3 + np.sin(self.state[2])
        return last

    def grow(self):
        self.state += 0.25


def main(target):
    gas = Gas((4, 5))
    gas.grow()
    for _ in range(9):
        gas.state[0] += 0.01 * np.exp(-gas.speed(0)) * np.sin(gas.speed(1))
        gas.cool()
    print(round(gas.energy(), 9))
    flat = Gas(())
    for _ in range(3):
        flat.grow()
        flat.cool()
    speed, last = gas.speed(1), flat.cool()
    np.savez(target, state=gas.state, speed=speed, flat=flat.state, last=last)


if __name__ == "__main__":
    main(sys.argv[1])
