import numpy as np


class Epidemic:
    S, E, I, R = range(4)
    low, high = 0.25, 0.75
    CALM, WILD = range(3, 5)

    def __init__(self, n):
        self.state = np.zeros(n, dtype=np.int64)
        self.state[:5] = self.I
        self.clock = np.zeros(n)

    def step(self):
        sick = self.state == self.I
        self.clock += sick * self.high
        self.state[self.clock > 3] = self.R
        return np.sum(self.state == Epidemic.I) * self.low + self.WILD


SUSCEPTIBLE, INFECTED = range(2)


def grow(x, n):
    state = np.zeros(n, dtype=np.int64)
    state[x > 0.5] = INFECTED
    return np.exp(x) * (state == SUSCEPTIBLE)


if __name__ == "__main__":
    e = Epidemic(50)
    for _ in range(6):
        print(e.step())
    print(grow(np.linspace(0, 1, 7), 7))
