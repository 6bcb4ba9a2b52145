"""What builtins give of things that nothing is known of: arrays, perhaps."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

WORK = """import numpy as np

def work(n, b):
    w = np.exp(np.sin(np.arange(n)))
    {line}
    return w
"""
UNKNOWN = (
    "w = np.cos(w * sum(b.parts))",
    "w = np.cos(w * sum((p for p in b.parts), 0.0))",
    "w = np.cos(w * max(b.parts, key=np.sum))",
    "w = np.cos(w * max(b.parts)[1])",
    "w = np.cos(w * pow(b.v, 2))",
    "w = np.cos(w * divmod(b.v, 2)[0])",
    "w = np.cos(w * getattr(b, 'v'))",
    "w[:2] = getattr(b, 'v', None)[:2]",
    "w -= abs(b.v)",
)
NUMBERS = ("w *= round(b.v)", "w *= max(b.lo, b.hi)", "w *= sum([1, 2]) + max([1.0, 2.0])")


@pytest.mark.parametrize("line", UNKNOWN)
def test_they_are_not_taken_for_numbers(line):
    found = port(WORK.format(line=line))
    assert found.after is None
    told = [one for one in found.findings if one.code == "GP901"]
    assert [one.span.line for one in told][:1] == [5]


@pytest.mark.parametrize("line", NUMBERS)
def test_what_can_be_numbers_only_is_taken_for_such(line):
    assert "cp.exp" in (port(WORK.format(line=line)).after or "")


def test_out_that_is_looked_up_by_its_name_stays_on_the_host():
    line = "np.add(w, 1.0, out=getattr(b, 'v'))"
    assert "cp.add" not in (port(WORK.format(line=line)).after or "")


ROWS = """import numpy as np

def rows(n):
    x = np.linspace(1.0, 2.0, 1_000_000)
    found = []
    for _ in range(n):
        x = np.sqrt(x) + 0.1 * x
        step = min(0.05 * np.min(x), 0.059)
        found.append(({number}, np.sum(x), np.max(x)))
    return np.array(found)
"""


@pytest.mark.parametrize("number", ["step / 2.0", "-step", "2 * step + 1", "step"])
def test_what_is_computed_of_the_smaller_one_may_be_one_of_pythons(number: str) -> None:
    """``cp.array`` takes no lists in which numbers stand beside arrays."""
    after = port(ROWS.format(number=number)).after or ""
    assert "cp.sqrt" in after or "sqrt(x)" in after
    assert "cp.array(found)" not in after


def test_the_host_waits_for_which_of_two_numbers_is_larger() -> None:
    text = """import numpy as np

def worst(x: np.ndarray, n):
    change = 0.0
    for _ in range(n):
        x = np.sin(x) + np.cos(x) * 0.5
        change = max(change, np.abs(x).max())
    return x * change
"""
    told = [one for one in port(text).findings if one.code == "GP403"]
    assert [one.span.line for one in told] == [7]
    assert "max(change, np.abs(x).max())" in told[0].message
