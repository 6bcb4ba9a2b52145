"""`map` and `starmap` of functions of the module become stacked code, where there is some."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

HEAD = """
from functools import partial
from itertools import starmap
import numpy as np

def gap(p: np.ndarray, q: np.ndarray):
    u, s, v = np.linalg.svd(p.T @ q)
    return s.sum() / np.linalg.det(u @ v)

"""


def ported(body: str) -> str:
    report = port_module(parse("x.py", HEAD + body), Config())
    return report.after or ""


@pytest.mark.parametrize(
    ("call", "loop"),
    [
        ("list(map(gap, a, b))", "[gap(p, q) for p, q in zip(a, b)]"),
        ("tuple(starmap(gap, zip(a, b)))", "[gap(p, q) for p, q in zip(a, b)]"),
        ("list(map(partial(gap, q=r), a))", "[gap(p, q=r) for p in a]"),
        ("list(map(lambda m: gap(m, r), a))", "[gap(m, r) for m in a]"),
        ("sorted(map(lambda m: gap(m, r), a), reverse=True)", "for m in a]"),
    ],
)
def test_calls_of_functions_of_the_module_are_stacked(call: str, loop: str) -> None:
    text = ported(f"def f(a: np.ndarray, b: np.ndarray, r: np.ndarray):\n    return {call}\n")
    assert "@batched.loop(" in text
    assert loop in text


@pytest.mark.parametrize(
    ("call", "port"),
    [
        ("list(map(np.linalg.inv, a))", "return batched.inv(a)"),
        ("list(map(np.linalg.solve, a, b))", "return batched.solve(a, b)"),
        ("sum(map(np.linalg.det, a))", "return sum(batched.det(a))"),
    ],
)
def test_calls_of_functions_of_numpy_are_stacked(call: str, port: str) -> None:
    text = ported(f"def f(a: list[np.ndarray], b: list[np.ndarray]):\n    return {call}\n")
    assert port in text


@pytest.mark.parametrize(
    "call",
    [
        "list(map(gap, a, *b))",
        "list(starmap(gap, a))",
        "list(map(partial(gap, a[0]), b))",
        "list(map(lambda m, k=2: gap(m, r), a))",
        "list(map(lambda m: (lambda: gap(m, r)), a))",
        "map(gap, a, b)",
    ],
)
def test_others_stay_as_they_are_written(call: str) -> None:
    text = ported(f"def f(a: np.ndarray, b: np.ndarray, r: np.ndarray):\n    return {call}\n")
    assert call in text


def test_where_nothing_is_stacked_the_call_stays() -> None:
    body = "def f(a: list, b: list, names: set):\n    return list(map(gap, names, b))\n"
    assert "list(map(gap, names, b))" in (ported(body) or body)


def test_programs_have_such_calls_stacked() -> None:
    path = Path(__file__).parents[1] / "batch" / "programs" / "mapped_functions.py"
    report = port_module(parse(path.name, path.read_text(encoding="utf-8")), Config())
    assert report.after is not None
    assert report.after.count("@batched.loop(") >= 6


def test_imports_that_only_such_calls_used_are_dropped() -> None:
    text = ported(
        "def f(a: np.ndarray, b: np.ndarray, r: np.ndarray):\n"
        "    return tuple(starmap(gap, zip(a, b))), list(map(partial(gap, q=r), a))\n"
    )
    assert "starmap" not in text
    assert "partial" not in text


@pytest.mark.parametrize(
    "rest", ["g = partial(gap, q=1)\n", "__all__ = ['f', 'partial']\n", '"""See partial."""\n']
)
def test_imports_that_others_use_stay(rest: str) -> None:
    call = "list(map(partial(gap, q=r), a))"
    text = ported(f"def f(a: np.ndarray, r: np.ndarray):\n    return {call}\n\n{rest}")
    assert "[gap(p, q=r) for p in a]" in text
    assert "from functools import partial" in text
    assert "from itertools import starmap" in text  # nobody used it before
