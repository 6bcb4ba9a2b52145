"""Sums at places that an array names: on the device, but one by one in a loop."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np
from numpy.typing import NDArray

def summed(x: NDArray[np.float64], i: NDArray[np.int64], v: NDArray[np.float64]):
    x[i] += np.sqrt(v)
    return np.exp(x)

def assembled(nodes, elements, kinds):
    found = np.zeros((len(nodes), len(nodes)))
    for e, corners in enumerate(elements):
        if kinds[e] == "none":
            print("skipped", e)
            continue
        for a in range(3):
            for b in range(3):
                found[corners[a], corners[b]] += np.exp(nodes[corners[a], 0])
    return found

x = summed(np.zeros(4), np.array([0, 1, 1]), np.arange(3.0))
rows = np.array([[k, k + 1, k + 2] for k in range(6)])
print(x, assembled(np.ones((9, 2)), rows, ["none", "some"] * 3))
"""


@pytest.mark.parametrize(("function", "on_device"), [("summed", True), ("assembled", False)])
def test_where_sums_are_made(function: str, on_device: bool) -> None:
    report = port_module(parse("program.py", PROGRAM), Config())
    assert report.after is not None
    body = report.after.partition(f"def {function}(")[2].partition("\n\n")[0]
    assert ("add_to(" in body) == on_device
    told = [f for f in report.findings if f.code == "GP502" and f.function == function]
    assert bool(told) != on_device


COMPLEX = """import numpy as np
from numpy.typing import NDArray

def gridded(places: NDArray[np.int64], seen: NDArray[np.complex128], size: int):
    grid = np.zeros(size, dtype=np.complex128)
    for k in range(len(places)):
        grid[places[k]] += seen[k]
    return grid

print(gridded(np.array([0, 1, 1]), np.array([1j, 2.0, 3j]), 2))
"""


def test_threads_add_complex_numbers_part_by_part() -> None:
    report = port_module(parse("program.py", COMPLEX), Config())
    assert report.after is not None
    assert "atomic_add_parts(&grid[" in report.after
