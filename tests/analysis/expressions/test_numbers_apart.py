"""Numbers that a loop takes out of an array cross once, unless the array is changed meanwhile."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def found(x: np.ndarray[tuple[int], np.dtype[np.float64]], names: dict):
    y = np.exp(x) + np.sqrt(x)
    {lines}
    return y

print(found(np.linspace(0.0, 1.0, 9), {{}}))
"""


@pytest.mark.parametrize(
    ("head", "written"),
    [
        ("for k in np.argsort(y):", "for k in cp.asnumpy(cp.argsort(y)):"),
        ("for k in np.argsort(y)[::-1]:", "for k in cp.asnumpy(cp.argsort(y)[::-1]):"),
        (
            "for i, k in enumerate(np.unique(y)):",
            "for i, k in enumerate(cp.asnumpy(cp.unique(y))):",
        ),
    ],
)
def test_one_crossing_before_the_loop(head: str, written: str) -> None:
    text = PROGRAM.format(lines=f"{head}\n        names[int(k)] = f'{{k}}'")
    report = port_module(parse("program.py", text), Config())
    assert report.after is not None
    assert written in report.after


def test_numbers_of_an_array_that_is_changed_stay_with_it() -> None:
    lines = "for v in y[:-1]:\n        names[float(v)] = 1\n        y += 1"
    report = port_module(parse("program.py", PROGRAM.format(lines=lines)), Config())
    assert "in cp.asnumpy(y" not in (report.after or "")
