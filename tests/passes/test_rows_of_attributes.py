"""How many axes attributes have, where the text of the loop does not tell."""

from __future__ import annotations

import pytest
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


MESH = """\
import numpy as np


class Mesh:
    def __init__(self, vertices, faces):
        self.v = vertices
        self.f = faces

    def longest(self):
        out = np.zeros(len(self.f))
        for t in range(len(self.f)):
            {corners}
            out[t] = {value}
        return out


rng = np.random.default_rng(0)
mesh = Mesh(rng.random((5000, 3)), rng.integers(0, 5000, (4900, 2)))
print(mesh.longest().sum())
"""


@pytest.mark.parametrize(
    ("corners", "value"),
    [
        ("i, j = self.f[t, 0], self.f[t, 1]", "max(self.v[i, 0], self.v[j, 0])"),
        ("i, j = self.f[t]", "max(self.v[i, 0], self.v[j, 0])"),
        ("i, j = self.f[t]", "np.sqrt(((self.v[i] - self.v[j]) ** 2).sum())"),
    ],
)
def test_places_that_arrays_of_an_object_tell(corners: str, value: str):
    made = port(MESH.format(corners=corners, value=value)).after or ""
    assert "out = cp.zeros(len(self.f))\n        _longest(self.f, self.v, out)" in made
    assert "out.shape[0] >= f.shape[0]" in made


def test_a_list_may_grow_in_a_loop_over_attributes():
    text = MESH.replace("out = np.zeros(len(self.f))", "out = []").replace("{corners}", "pass")
    text = text.replace("out[t] = {value}", "out.append(self.f[t, 0] * 2)")
    text = text.replace("return out", "return np.array(out)")
    made = port(text).after or ""
    assert "_longest(self.f" in made
    assert "return cp.array(out)" in made


def test_what_an_object_called_append_does_is_not_known():
    """It may set the attribute that would get a name before the loop."""
    made = port("""\
import numpy as np


class Log:
    def __init__(self, sim):
        self.sim = sim

    def append(self, value):
        self.sim.k = self.sim.k + 1


class Sim:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)
        self.k = 0.5

    def run(self, log, steps):
        for t in range(steps):
            for i in range(1, self.u.shape[0] - 1):
                self.u[i] = self.u[i] * 0.5 + self.k
            log.append(t)
        log = []
        return log


sim = Sim(2000)
sim.run(Log(sim), 5)
print(sim.u.sum())
""").after
    before, _, _ = (made or "for t in range(steps)").partition("for t in range(steps)")
    assert "= self.k" not in before.rpartition("def run")[2]
