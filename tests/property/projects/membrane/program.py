"""Finite elements, operators that count their calls, conjugate gradients with a hook."""

import numpy as np

from mesh import unit_square
from operators import Jacobi, Operator, Stiffness
from solver import conjugate_gradients


def load(mesh, area):
    x, y = mesh.points[:, 0], mesh.points[:, 1]
    f = np.exp(x) * np.sin(3.0 * np.pi * x) * y
    rhs = np.zeros(mesh.size)
    weights = np.repeat(area / 3.0, 3)
    np.add.at(rhs, mesh.cells.ravel(), f[mesh.cells].ravel() * weights)
    return np.where(mesh.boundary, 0.0, rhs)


def main():
    history = []
    mesh = unit_square(24)
    stiffness = Stiffness(mesh)
    rhs = load(mesh, stiffness.area)
    u, steps = conjugate_gradients(
        stiffness, Jacobi(stiffness.diagonal()), rhs, hook=lambda k, norm: history.append(norm)
    )
    exact = np.sin(np.pi * mesh.points[:, 0]) * np.sin(np.pi * mesh.points[:, 1])
    print("steps", steps, "calls", Operator.calls)
    print("error %.6f" % np.abs(u - exact).max())
    print("residual %.3e -> %.3e" % (history[0], history[-1]))


if __name__ == "__main__":
    main()
