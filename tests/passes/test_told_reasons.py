"""Reasons say what is so, in names that stand in the program."""

from __future__ import annotations

from tests.passes.conftest import port

CALLED = """import numpy as np

def rhs(h, n):
    slope = np.zeros(n)
    slope[1:-1] = h[2:] - h[:-2]
    slope[0] = h[1] - h[0]
    return slope * np.fft.fft(h).real

def step(h, dt, n):
    k1 = rhs(h, n)
    return h + dt * rhs(h + 0.5 * dt * k1, n)

def solve(n, steps):
    h = np.linspace(0, 1, n)
    out = np.zeros((n, steps))
    for i in range(steps):
        h = step(h, 0.1, n)
        out[:, i] = h
    return out

print(solve(2000, 30).sum())
"""

SOLVER = """import numpy as np

class Solver:
    def __init__(self, size):
        self.size = size
        self.h = np.zeros((size, size))
        self.e = np.zeros((size, size))

    def step(self):
        self.h[:, :-1] = self.h[:, :-1] - 0.1 * (self.e[:, 1:] - self.e[:, :-1])

    def picture(self):
        rast = np.zeros((self.size, self.size, 3), dtype=np.uint8)
        for i in range(self.size):
            for j in range(self.size):
                level = int(abs(float(self.e[i, j]) * 600))
                try:
                    rast[i, j] = (level, 0, 0)
                except OverflowError:
                    rast[i, j] = (255, 255, 255)
        return rast

solver = Solver(80)
for k in range(30):
    solver.step()
print(solver.picture().sum())
"""


def test_what_a_called_function_does_is_told_of_it() -> None:
    messages = [one.message for one in port(CALLED).findings if one.code[:3] == "GP2"]
    assert any("in `rhs`, which it calls: `slope`" in one for one in messages), messages


def test_loops_that_fill_many_parts_are_not_told_to_be_small() -> None:
    found = [one for one in port(SOLVER).findings if one.span.line == 14]
    assert [one.code for one in found] == ["GP201"]
    assert "few elements" not in found[0].message


def test_arrays_of_instances_are_known() -> None:
    found = [one for one in port(SOLVER).findings if one.span.line == 9]
    assert "as the arrays of its instances do, `self.h`, `self.e`" in found[0].message
    assert found[0].code == "GP407"


def test_what_depends_on_the_path_is_named() -> None:
    text = (
        "import numpy as np\n\ndef pick(r, flag, other):\n"
        "    save = np.real(r) + 1.0\n    if flag:\n        save = other.thing\n"
        "    return save * 2\n\nprint(pick(np.ones(90000), False, None).sum())\n"
    )
    messages = [one.message for one in port(text).findings]
    assert any("what `save` holds depends on the path taken" in one for one in messages), messages


MAPPED = """import numpy as np

def spread(x, y):
    x, y = map(np.ravel, np.broadcast_arrays(x, y))
    return np.sqrt(x * y + 1.0)

a = np.linspace(0.0, 1.0, 90000)
print(spread(a, a * 2.0).sum())
"""


def test_what_map_calls_on_the_device_is_not_told_to_run_with_numpy() -> None:
    found = port(MAPPED)
    assert "map(cp.ravel, cp.broadcast_arrays(x, y))" in (found.after or "")
    told = {one.code: one.message for one in found.findings if "ravel" in one.message}
    assert told == {"GP101": "`np.ravel` runs on the device"}
