"""A swarm of tracers in a rotating flow, with walls and a count for each cell."""
import cupy as cp
import numpy as np
from gpuport.runtime import kernel


@kernel(
    "float dt, float size",
    "T x, T y, T age",
    """
    const T u = -(y - 0.5 * size) + 0.3 * cos(x);
    const T v = (x - 0.5 * size) + 0.3 * sin(y);
    x = x + dt * u;
    y = y + dt * v;
    age += dt;
    if (x < 0 || x > size || y < 0 || y > size) {
        x = 0.5 * size;
        y = 0.5 * size;
        age = 0.0;
    }
    """,
)
def _step(dt, size, x, y, age):
    u = -(y - 0.5 * size) + 0.3 * np.cos(x)
    v = (x - 0.5 * size) + 0.3 * np.sin(y)
    x[...] = x + dt * u
    y[...] = y + dt * v
    age += dt
    out = (x < 0) | (x > size) | (y < 0) | (y > size)
    x[out] = 0.5 * size
    y[out] = 0.5 * size
    age[out] = 0.0


class Swarm:
    def __init__(self, n, size, seed=3):
        rng = np.random.default_rng(seed)
        self.size = size
        self.x = cp.asarray(rng.random(n)) * size
        self.y = cp.asarray(rng.random(n)) * size
        self.age = cp.zeros(n)

    def step(self, dt):
        """Go with the flow; tracers that leave begin anew in the middle."""
        _step(dt, self.size, self.x, self.y, self.age)

    def counts(self, cells):
        """How many tracers are in each cell of a grid."""
        i = cp.minimum((self.y / self.size * cells).astype(int), cells - 1)
        j = cp.minimum((self.x / self.size * cells).astype(int), cells - 1)
        return cp.bincount(i * cells + j, minlength=cells * cells).reshape(cells, cells)


def main():
    swarm = Swarm(20000, 4.0)
    for _ in range(200):
        swarm.step(0.01)
    counts = swarm.counts(16)
    print(counts.max(), int((counts == 0).sum()), f"{float(swarm.age.mean()):.6f}")


if __name__ == "__main__":
    main()
