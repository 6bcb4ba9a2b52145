"""Functions that exchange containers of arrays are placed together."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.passes.conftest import port

from gpuport.analysis.calls import handovers
from gpuport.analysis.objects.following import Following
from gpuport.analysis.placement import cut
from gpuport.analysis.project.program import Program

LISTS = """import numpy as np

def start(n, k):
    return [np.linspace(0.0, 1.0, n) * j for j in range(k)]

def change(arrays, rate):
    for i in range(len(arrays)):
        arrays[i] = arrays[i] - rate * np.sin(arrays[i])

def main():
    arrays = start(5000, 4)
    for _ in range(20):
        change(arrays, 0.1)
    print([float(a.sum()) for a in arrays])

main()
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("arrays[i]", 'arrays[i]["u"]'),
    ],
)
def test_arrays_in_containers_stay_on_the_device_from_call_to_call(before, after):
    text = LISTS.replace(before, after) if before else LISTS
    if after:
        text = text.replace("* j for j", "* j} for j").replace("[np.lin", '[{"u": np.lin')
        text = text.replace("float(a.sum())", 'float(a["u"].sum())')
    found = port(text).after or ""
    assert "cp.linspace" in found
    assert "@kernel(" in found
    assert "@device" not in found
    assert "asnumpy" not in found


def test_a_module_that_others_may_import_exchanges_numpy_arrays():
    assert port(LISTS.replace("\nmain()\n", "")).after is None


MAKER = """import numpy as np

def wave(n):
    x = np.linspace(0.0, 1.0, n)
    return np.exp(-40 * (x - 0.5) ** 2)

def run(n, steps):
    u = wave(n)
    for _ in range(steps):
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u

if __name__ == "__main__":
    np.save("u.npy", run(1000, 50))
"""


def test_an_array_made_of_numbers_stays_where_it_was_made():
    found = port(MAKER).after or ""
    assert "    u = wave(n)\n" in found
    assert found.count("asnumpy") == 1
    assert "asarray" not in found


def test_a_maker_that_others_may_import_gives_numpy():
    found = port(MAKER.partition("if __name__")[0]).after or ""
    assert "return cp.asnumpy(cp.exp" in found


PLAIN = """import numpy as np

class Run:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)
        self.trace = []

    def step(self):
        self.u = smooth(self.u, 0.5)
        self.trace.append(energy(self.u))

def smooth(u, c):
    return u + c * (np.roll(u, 1) - u)

def energy(u):
    return np.sqrt((u ** 2).mean())

run = Run(5000)
for _ in range(10):
    run.step()
print(run.trace[-1])
"""


def test_functions_that_are_given_arrays_by_methods_have_no_boundary():
    found = port(PLAIN).after or ""
    assert "@kernel(" in found
    assert "@device" not in found


PROGRAMS = Path(__file__).parents[2] / "property" / "programs"
EXCHANGING = ("options_by_name", "lists_of_weights", "containers_list_argument")


class _Nothing:
    """The worth of a placement that is less than that of any other."""

    def __le__(self, other: object) -> bool:
        return True


@pytest.mark.parametrize("name", EXCHANGING)
def test_a_placement_that_is_given_up_leaves_nothing_behind(monkeypatch, name):
    text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    for module in (cut, handovers):  # nearly all that may be on the device is
        monkeypatch.setattr(module, "TRANSFER", 0.02)
    worth, given_up = Program._gain, []

    def gain(program):
        if not program.following.exchanging:
            return worth(program)
        given_up.append(program)
        return _Nothing()

    monkeypatch.setattr(Program, "_gain", gain)
    found = port(text).after
    assert given_up
    monkeypatch.setattr(Following, "finds_containers", lambda self: False)
    assert found == port(text).after
