"""Loops of a few trips that are written out do what their statements would one after the other."""

from __future__ import annotations

import ast

import pytest
from tests.passes.conftest import port

from gpuport.source.trips import count_of

PROGRAM = """\
import numpy as np

{top}


def main():
    x = np.linspace(0, 1, 4096).reshape(64, 64)
    v = np.zeros((64, 64))
    trace = np.zeros((20, 40))
    {before}
    for step in range(20):
        v += 0.1 * (np.roll(x, 1, 0) + np.roll(x, -1, 0) - 2 * x)
        x = x + 0.1 * v
        for {head}:
            trace[step, k] = x[i, j]
    print(trace.sum(), x.sum())


main()
"""


@pytest.mark.parametrize(
    ("top", "before", "head", "is_ported"),
    [
        ("", "", "k, (i, j) in enumerate([(3, 4), (10, 20)])", True),
        ("", "probes = [(3, 4), (10, 20)]", "k, (i, j) in enumerate(probes)", True),
        ("probes = ((3, 4), (10, 20))", "", "k, (i, j) in enumerate(probes)", True),
        ("", "", "k, i, j in zip(range(40), (1, 2, 3), (4, 5, 6))", True),
        ("", "probes = [(3, 4)] * 40", "k, (i, j) in enumerate(probes)", False),
        ("", "probes = [(3, 4)]; probes.append((5, 6))", "k, (i, j) in enumerate(probes)", False),
    ],
)
def test_few_elements_keep_no_array_on_the_host(top, before, head, is_ported):
    after = port(PROGRAM.format(top=top, before=before, head=head)).after or ""
    assert ("cp.linspace" in after) is is_ported


@pytest.mark.parametrize(
    ("text", "count"),
    [("[1, 2]", 2), ("(x, y, z)", 3), ("[1, *more]", None), ("range(2, 8, 3)", 2),
     ("range(n)", None), ("items", None), ("sorted([1, 2])", None)],
)  # fmt: skip
def test_how_many_things_a_head_goes_through(text, count):
    assert count_of(ast.parse(text, mode="eval").body) == count
