import numpy as np


class Field:
    def __init__(self, n):
        self.u = np.sin(np.linspace(0.0, 3.0, n))

    def step(self):
        self.u = self.u + 0.1 * (np.roll(self.u, 1) - self.u)


def lines(stats):
    for key in sorted(stats):
        yield f"{key} {stats[key]!s:.12}"


def describe(stats):
    global COUNT
    COUNT = stats["n"]
    return stats["n"] + 1


COUNT = 0


def main():
    f = Field(5000)
    for k in range(30):
        f.step()
    stats = {"n": 3, "mean": f.u.mean(), "name": "a", "u": f.u * 2}
    stats["u"] = float(stats["u"].sum())
    print(describe({"n": 4, "v": f.u + 1}), COUNT)
    for line in lines(stats):
        print(line)


main()
