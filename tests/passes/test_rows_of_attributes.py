"""How many axes attributes have, where the text of the loop does not tell."""

from __future__ import annotations

from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


class Fluid:
    def __init__(self, pos):
        self.pos = pos
        self.vel = np.zeros_like(pos)


def forces(fluid):
    n = fluid.pos.shape[0]
    f = np.zeros_like(fluid.pos)
    for i in range(n):
        for j in range(n):
            d = fluid.pos[i] - fluid.pos[j]
            f[i] += d / 2.0 * (fluid.vel[j] - fluid.vel[i])
    return f


if __name__ == "__main__":
    fluid = Fluid(np.linspace(0.0, 1.0, 40).reshape(20, 2))
    for _ in range(10):
        fluid.vel += forces(fluid)
    print(fluid.vel.sum())
"""


def test_what_is_known_of_them_tells_rows_from_numbers():
    made = port(PROGRAM).after or ""
    assert "f[{i, k_}] += (pos[{i, k_}] - pos[{j, k_}]) / 2.0" in made
    assert "_forces(vel, pos, n, f)" in made
