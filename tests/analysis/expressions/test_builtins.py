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
