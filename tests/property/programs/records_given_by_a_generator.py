import numpy as np


class Field:
    def __init__(self, n):
        self.u = np.sin(np.linspace(0.0, 3.0, n))

    def step(self):
        self.u = self.u + 0.1 * (np.roll(self.u, 1) - self.u)


def norm(stats):
    return float(np.sqrt(np.sum(stats["v"] ** 2)))


def stream(f):
    for k in range(3):
        f = f * 0.5
        yield norm({"n": k, "v": f})


def main():
    f = Field(500_000)
    for k in range(30):
        f.step()
    print(round(norm({"n": 1, "v": f.u + 1.0}), 6), [round(v, 6) for v in stream(np.ones(10))])


main()
