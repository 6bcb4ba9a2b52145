# try/except in main; nan; int arrays; exception from method mid-way; attributes set by outsider function
import sys
import numpy as np


class Sim:
    def __init__(self, n):
        self.x = np.arange(n)
        self.y = self.x / 2
        self.log = {}

    def step(self, k):
        self.x = self.x + k
        if k > 3:
            raise RuntimeError("too far")
        self.y = np.where(self.x % 2 == 0, np.sqrt(self.y + 1), np.nan)
        self.log[k] = np.nansum(self.y)


def configure(sim, value):
    sim.gain = value
    sim.y *= value


def main(path):
    s = Sim(25)
    configure(s, 1.5)
    for k in range(6):
        try:
            s.step(k)
        except RuntimeError as e:
            print("stopped", e)
            break
    print(sorted(s.log), s.gain)
    np.savez(path, x=s.x, y=s.y, l=np.array(list(s.log.values())))


if __name__ == "__main__":
    main(sys.argv[1])
