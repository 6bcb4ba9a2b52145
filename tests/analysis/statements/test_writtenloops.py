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


KEYS = """\
import numpy as np

CELL = dict(area=0.1, neg=dict(length=85e-6, top=33133.0), pos=dict(length=75e-6, top=63104.0))
SIDES = ("neg", "pos")


def run(cell, steps, n=6000):
    state = {{}}
    for side in ("neg", "pos"):
        state[side] = np.full(n, cell[side]["top"])
    for step in range(steps):
        for {head}:
            part = cell[side]
            rhs = np.sin(state[side]) + np.cos(state[side]) * part["length"]
            state[side] = np.exp(-np.abs(rhs)) * part["top"]
    return state["neg"].sum() + state["pos"].sum()


print(run(CELL, 5), CELL["area"])
"""


@pytest.mark.parametrize(
    ("head", "is_told"),
    [
        ("side in ('neg', 'pos')", True),
        ("side, sign in (('neg', 1.0), ('pos', -1.0))", True),
        ("k, (side, sign) in enumerate([('neg', 1.0), ('pos', -1.0)])", True),
        ("sign, side in zip((1.0, -1.0), SIDES)", True),
        ("side in SIDES", True),
        ("side, sign in (('neg', 1.0), (SIDES[1], -1.0))", False),
        ("side, *sign in zip(('neg', 'pos'), (1, -1))", False),
    ],
)
def test_keys_that_a_loop_goes_through(head: str, is_told: bool):
    ported = port(KEYS.format(head=head))
    unknown = [one for one in ported.findings if one.code == "GP901"]
    assert (not unknown) is is_told, unknown
