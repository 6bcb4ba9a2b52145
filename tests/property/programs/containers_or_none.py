import numpy as np


def search(x, tries, limit=1e9):
    best = None
    for k in range(tries):
        y = np.sin(x * (k + 1)) * np.exp(-x)
        cost = float(np.sum(y ** 2))
        if cost < limit and (best is None or cost < best[0]):
            best = (cost, y, k)
    return best


class Memory:
    def __init__(self):
        self.last = None
        self.rows = None

    def push(self, x):
        if self.rows is None:
            self.rows = []
        self.rows.append(np.cos(x))
        self.last = {"x": x * 2, "n": len(self.rows)}

    def reset(self):
        self.rows = None
        self.last = None


def smooth(x, weights=None):
    if weights is None:
        weights = [0.25, 0.5, 0.25]
    return weights[0] * np.roll(x, 1) + weights[1] * x + weights[2] * np.roll(x, -1)


def total(rows=None):
    if not rows:
        return 0.0
    return float(sum(r.sum() for r in rows))


def main():
    x = np.linspace(0.0, 3.0, 20_000)
    found = search(x, 6)
    nothing = search(x, 3, limit=-1.0)
    print(nothing, nothing is None, found[2], f"{found[0]:.6f}", f"{found[1].sum():.6f}")
    memory = Memory()
    print(memory.last, memory.rows)
    for k in range(3):
        memory.push(x + k)
    print(memory.last["n"], f"{memory.last['x'].sum():.4f}", f"{total(memory.rows):.4f}", total())
    memory.reset()
    print(memory.last, memory.rows, total(memory.rows))
    print(f"{smooth(x).sum():.5f}", f"{smooth(x, [x, x, x]).sum():.5f}")
    if found:
        cost, y, k = found
        y[0] = 3.0
    print(found[1][0], found[1][:2])


main()
