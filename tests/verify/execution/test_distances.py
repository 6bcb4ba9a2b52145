"""How far a condition is from an outcome: zero where it has it, and less the nearer it comes."""

from __future__ import annotations

import ast
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport.verify.execution.distances import UNREACHED, measured
from gpuport.verify.sides.conditions import Condition, deciding_branch, deciding_mask
from gpuport.verify.sides.sides import Side

_NAMES = st.sampled_from(["a", "b", "c", "2", "a + b"])
_COMPARED = st.builds(
    lambda x, op, y: f"{x} {op} {y}",
    _NAMES,
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    _NAMES,
)
_CHAINED = st.builds(lambda x, y, z: f"{x} < {y} <= {z}", _NAMES, _NAMES, _NAMES)
_TESTS = st.recursive(
    st.one_of(_COMPARED, _CHAINED, st.sampled_from(["bool(a > b)", "c", "a in (b, c)"])),
    lambda inner: st.one_of(
        st.builds(lambda x, y: f"({x} and {y})", inner, inner),
        st.builds(lambda x, y: f"({x} or {y})", inner, inner),
        st.builds(lambda x: f"(not {x})", inner),
    ),
    max_leaves=5,
)


def _side(text: str, folder: Path) -> Side:
    file = folder / "module.py"
    file.write_text(text)
    side = Side(folder, "module", file, folder)
    side.load()
    return side


def _least(side: Side, condition: Condition | None, *arguments: Any) -> tuple[float, Any]:
    assert condition is not None
    with measured(side, condition, lambda value: None) as distances:
        assert distances is not None
        result = vars(side.module)["f"](*arguments)
        return distances.least, result


@given(_TESTS, *[st.integers(-3, 3)] * 3, st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_is_zero_where_the_condition_has_the_outcome(
    test: str, a: int, b: int, c: int, outcome: bool
) -> None:
    text = f"def f(a, b, c):\n    if {test}:\n        return 'yes'\n    return 'no'\n"
    with tempfile.TemporaryDirectory() as folder:
        side = _side(text, Path(folder))
        plain = vars(side.module)["f"](a, b, c)
        condition = deciding_branch(ast.parse(text), 2, outcome)
        least, result = _least(side, condition, a, b, c)
    assert result == plain
    assert (least == 0.0) is ((plain == "yes") is outcome)
    assert least < UNREACHED


@pytest.mark.parametrize(
    ("test", "far", "near"),
    [
        ("n > 700", (3,), (650,)),
        ("x.shape == (3, 5)", (np.zeros((9, 5)),), (np.zeros((4, 5)),)),
        ("x.ndim == 2 and x.shape[0] > x.shape[1]", (np.zeros(3),), (np.zeros((3, 3)),)),
        ("bool((x > 1e9).any())", (np.zeros(2),), (np.array([0.0, 1e8]),)),
        ("0 < x.sum() < 1", (np.full(3, 9.0),), (np.full(3, 0.4),)),
    ],
)
def test_it_is_less_for_what_comes_nearer(test: str, far: Any, near: Any, tmp_path: Path) -> None:
    name = "n" if "n >" in test else "x"
    text = f"def f({name}):\n    return 1 if {test} else 2\n"
    side = _side(text, tmp_path)
    place = next(n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.IfExp))
    condition = deciding_branch(ast.parse(text), 2 + (place.col_offset + 1) * 1_000_000, True)
    assert 0 < _least(side, condition, *near)[0] < _least(side, condition, *far)[0]


def test_a_mask_is_near_where_one_of_its_elements_is(tmp_path: Path) -> None:
    text = "def f(x):\n    return x[x > 100]\n"
    side = _side(text, tmp_path)
    column = text.splitlines()[1].index("x > 100")
    condition = deciding_mask(ast.parse(text), 2 + (column + 1) * 1_000_000, True)
    far, near, there = (np.array([0.0, last]) for last in (1.0, 90.0, 101.0))
    distances = [_least(side, condition, x)[0] for x in (far, near, there)]
    assert distances[0] > distances[1] > distances[2] == 0.0


def test_a_condition_that_is_not_asked_is_out_of_reach(tmp_path: Path) -> None:
    text = "def f(x):\n    if x:\n        if x > 3:\n            return 1\n    return 0\n"
    side = _side(text, tmp_path)
    condition = deciding_branch(ast.parse(text), 3, True)
    assert _least(side, condition, 0)[0] == UNREACHED
