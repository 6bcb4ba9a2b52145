"""Expressions in f-strings are found where they stand, or not edited."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.fstrings import editable
from gpuport.source.module import Module


def first(text: str) -> tuple[Module, ast.JoinedStr]:
    tree = ast.parse(text)
    found = next(n for n in ast.walk(tree) if isinstance(n, ast.JoinedStr))
    return Module("x.py", text, tree), found


@pytest.mark.parametrize(
    "text",
    [
        'f"{x}"',
        'f"é {{x}} {x} {x}"',
        "f\"{x['a']:>{n}.3f} {(a, b)} {y!r}\"",
        'f"""\n {x} {\n  g(y) }"""',
        "'a' f'{x}' \"b\" rf'\\d{x + 1}'",
        'f"{ {1: 2}[1] } {(x)}"',
    ],
)
def test_expressions_that_stand_where_the_tree_says(text: str):
    module, node = first(text)
    assert editable(module, node)
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            inside = ast.parse(f"({module.segment(part.value)})", mode="eval").body
            assert ast.dump(inside) == ast.dump(part.value)


def test_text_that_is_printed_with_its_value_is_not_edited():
    assert not editable(*first('f"{np.sum(x)=}"'))
    assert editable(*first('f"{a == b}"'))


def test_a_place_that_holds_something_else_is_not_edited():
    module, node = first('f"{x} {y}"')
    assert isinstance(node.values[2], ast.FormattedValue)
    node.values[2].value.col_offset -= 1
    assert not editable(module, node)
