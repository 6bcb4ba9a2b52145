"""A module is given another grid by its own function; its first one is no array."""

import numpy as np

import lattice
import tools.core

SIZE = 20_000


def main():
    print(lattice.waves(np.ones(3))[:3])
    lattice.reset(SIZE)
    print(lattice.waves(np.ones(SIZE))[:3].round(9))
    print(tools.core.turn(np.ones(SIZE))[:3], tools.core.FIELD.data.nbytes)
    tools.core.reset()
    print(tools.core.turn(np.ones(SIZE))[:3].round(9), isinstance(tools.core.FIELD, np.ndarray))
    u = np.linspace(0.0, 1.0, SIZE)
    for _ in range(20):
        u = tools.core.relaxed(u)
    print(u[:3].round(9))


if __name__ == "__main__":
    main()
