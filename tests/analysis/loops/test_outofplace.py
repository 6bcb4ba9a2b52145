"""Names that only loops bind which may make no trip."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.loops.outofplace import unbound_without_trips

LOOP = "for i in range(n):\n    u[i] = v + w"


def found(before: str, parameters: str = "u, n, w") -> list[str]:
    text = f"def f({parameters}):\n" + textwrap.indent(f"{before}\n{LOOP}\n", "    ")
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    return unbound_without_trips(function, function.body[-1])


@pytest.mark.parametrize(
    "before",
    [
        "for k in range(n):\n    v = k",
        "for v in range(n):\n    pass",
        "while n > 3:\n    v = n\n    n -= 1",
        "if n:\n    for k in range(n):\n        v = k",
        "while True:\n    if n:\n        break\n    v = 1",
        "for k in range(0):\n    v = 1",
        "def g():\n    v = 1\nfor k in range(n):\n    v = 1",
    ],
)
def test_perhaps_unbound(before: str) -> None:
    assert found(before) == ["v"]


@pytest.mark.parametrize(
    "before",
    [
        "v = 1",
        "if n:\n    v = 1",
        "with open('x') as v:\n    pass",
        "try:\n    v = 1\nexcept ValueError:\n    raise",
        "v = 0\nfor k in range(n):\n    v = k",
        "for k in range(3):\n    v = k",
        "while True:\n    v = 1\n    if n:\n        break",
        "global v\nfor k in range(n):\n    v = k",
        "if n:\n    for k in range(n):\n        pass\n    v = 1",
        "pass",  # a name of the module
    ],
)
def test_bound_where_it_is_needed(before: str) -> None:
    assert found(before) == []


def test_parameters_are_bound() -> None:
    assert found("for k in range(n):\n    v = k", "u, n, w, v") == []


def test_what_the_loop_around_binds_first_is_bound() -> None:
    inner = textwrap.indent(LOOP, " " * 8)
    text = f"def f(u, n, w):\n    for k in range(n):\n        v = k\n{inner}\n"
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    outer = function.body[0]
    assert isinstance(outer, ast.For)
    assert unbound_without_trips(function, outer.body[-1]) == []
