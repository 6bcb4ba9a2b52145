# attribute changes kind: number then array; int array plus float; object arrays
import sys
import numpy as np


class S:
    def __init__(self):
        self.total = 0.0
        self.count = np.zeros(4, dtype=int)
        self.names = np.array(["a", "b"], dtype=object)
        self.t = 0.0
        self.best = np.float64(3.0)

    def add(self, x):
        self.total = self.total + np.exp(x)
        self.count[x > 0.5] += 1
        self.t += x.max()
        self.best = np.minimum(self.best, x.min())

    def label(self):
        return "-".join(self.names) + f"{self.t:.2f}"


def main(path):
    rng = np.random.default_rng(3)
    s = S()
    for _ in range(5):
        s.add(rng.random(4))
    print(s.label(), type(s.t).__name__, type(s.total).__name__, type(s.best).__name__)
    np.savez(path, total=s.total, count=s.count, t=s.t, best=s.best)


if __name__ == "__main__":
    main(sys.argv[1])
