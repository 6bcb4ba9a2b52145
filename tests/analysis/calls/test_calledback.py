"""Functions that NumPy calls for one element or row after the other."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def span(row):
    low, high = np.sort(row)[:2], np.sort(row)[-2:]
    return high.sum() - low.sum()


def smallest(row):
    row.sort()
    return row[0]


a = np.cos(np.linspace(0.0, 1.0, 100000)).reshape(100, 1000) ** 2
a = np.sin(a) + np.cos(a) ** 2
{line}
a = np.exp(a * 2) + np.sqrt(a)
print(a.sum())
"""


@pytest.mark.parametrize(
    ("line", "boundary"),
    [
        ("print(np.apply_along_axis(span, 1, a).sum())", False),
        ("print(np.vectorize(span, signature='(n)->()')(np.ones((3, 4))))", False),
        ("print(np.apply_along_axis(span, 1, a), span(a[0]))", True),
        ("print(np.apply_along_axis(span, 1, a), [f(a[0]) for f in (span,)])", True),
        ("print(span(a[0]))", True),
    ],
)
def test_what_nothing_else_calls_gets_no_boundary(line: str, boundary: bool):
    report = port(PROGRAM.format(line=line))
    assert ("low, high = cp.sort(row)" in (report.after or "")) is boundary
    told = [f for f in report.findings if f.code == "GP203" and "`span` stays" in f.message]
    assert bool(told) is not boundary


@pytest.mark.parametrize(
    ("called", "stays"),
    [("span", False), ("smallest", True), ("lambda row: row.sort()", True), ("np.sum", False)],
)
def test_what_it_may_write_to_stays_on_the_host(called: str, stays: bool):
    report = port(PROGRAM.format(line=f"print(np.apply_along_axis({called}, 1, a).sum())"))
    assert (f"({called}, 1, a)" in (report.after or "")) is stays
