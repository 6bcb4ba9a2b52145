"""A swarm of tracers in a rotating flow, with walls and a count for each cell."""
import numpy as np


class Swarm:
    def __init__(self, n, size, seed=3):
        rng = np.random.default_rng(seed)
        self.size = size
        self.x = rng.random(n) * size
        self.y = rng.random(n) * size
        self.age = np.zeros(n)

    def step(self, dt):
        """Go with the flow; tracers that leave begin anew in the middle."""
        u = -(self.y - 0.5 * self.size) + 0.3 * np.cos(self.x)
        v = (self.x - 0.5 * self.size) + 0.3 * np.sin(self.y)
        self.x = self.x + dt * u
        self.y = self.y + dt * v
        self.age += dt
        out = (self.x < 0) | (self.x > self.size) | (self.y < 0) | (self.y > self.size)
        self.x[out] = 0.5 * self.size
        self.y[out] = 0.5 * self.size
        self.age[out] = 0.0

    def counts(self, cells):
        """How many tracers are in each cell of a grid."""
        found = np.zeros((cells, cells), dtype=np.int64)
        for k in range(len(self.x)):
            i = min(int(self.y[k] / self.size * cells), cells - 1)
            j = min(int(self.x[k] / self.size * cells), cells - 1)
            found[i, j] += 1
        return found


def main():
    swarm = Swarm(20000, 4.0)
    for _ in range(200):
        swarm.step(0.01)
    counts = swarm.counts(16)
    print(counts.max(), int((counts == 0).sum()), f"{swarm.age.mean():.6f}")


if __name__ == "__main__":
    main()
