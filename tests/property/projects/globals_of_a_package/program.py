import numpy as np
import pkg.grid as grid
from pkg import rescale, state
from pkg.grid import weights as w
from pkg import grid as other


def norm(f):
    from pkg.grid import HALF
    return np.sqrt(np.sum(w * f ** 2)) + HALF.mean() + grid.X.shape[0]


class Probe:
    where = grid.X[::50].copy()

    def read(self):
        return np.interp(self.where, grid.X, state.u)


def poke():
    grid.X[0] = -1.0
    other.HALF[1] *= 2.0


if __name__ == "__main__":
    for k in range(3):
        state.advance(1e-3)
        print(state.count, f"{norm(state.u):.8f}")
    poke()
    print(grid.X[:3], grid.HALF[:3], grid.local(), f"{rescale(2.0):.6f} {w.sum():.6f}")
    state.reset()
    print(state.u.sum(), len(state.history), Probe().read().round(6))
    copy = grid.X.copy()
    grid.X[5] = 9.0
    print((copy != grid.X).sum(), grid.X.max(), type(state.u).__name__)
