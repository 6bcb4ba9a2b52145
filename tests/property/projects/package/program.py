"""Diffusion, from a package."""

import sys

import numpy as np

import sim
from sim import Solver


def main(path):
    solver = Solver(60, 0.2).sweep(30)
    mass, spread = solver.moments()
    other = solver.fresh()
    direct = sim.Grid(12)
    direct.values[0] = 9.0
    x, _ = sim.coordinates(5)
    print(f"{mass:.6f} {spread:.6f} {len(direct)}")
    np.savez(path, v=solver.grid.values, o=other.values, d=direct.values, x=x)


if __name__ == "__main__":
    main(sys.argv[1])
