"""The parameters of functions, and what calls spread over them."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.parameters import default_values, every_name, names_of, spread_over


def function(text: str) -> ast.FunctionDef:
    (node,) = ast.parse(f"def f({text}): pass").body
    assert isinstance(node, ast.FunctionDef)
    return node


def test_names_and_defaults():
    node = function("a, /, b=1, *rest, c, d=2, **options")
    assert names_of(node) == ["a", "b", "c", "d"]
    assert every_name(node) == ["a", "b", "c", "d", "rest", "options"]
    assert {name: ast.unparse(one) for name, one in default_values(node.args).items()} == {
        "b": "1",
        "d": "2",
    }


@pytest.mark.parametrize(
    ("parameters", "call", "items"),
    [
        ("t, a, b", "f(t, *p)", 2),
        ("t, a, b", "f(*p)", 3),
        ("t, a, b", "f(t, *p, b=1)", 1),
        ("t, a, b, *, k=1", "f(t, *p, k=2)", 2),
        ("t, a, b, c=1", "f(t, *p, c=2)", 2),
        ("t, a, b=1", "f(t, *p)", None),
        ("t, a, b", "f(t, *p, 1)", None),
        ("t, a, b", "f(t, *p, *q)", None),
        ("t, a, b", "f(t, *p, **q)", None),
        ("t, *p", "f(t, *p)", None),
        ("t, a, b", "f(*p, a=1)", None),
        ("t, a, b", "f(t, a, b)", None),
    ],
)
def test_how_many_items_are_spread(parameters, call, items):
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert spread_over(function(parameters), node) == items
