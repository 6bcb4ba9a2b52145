"""Heads of loops by what they mean."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.items import Items, items_by_number, without_body


def read(loop: ast.For) -> Items | None:
    """``for row in x:``, of which `x` is a name."""
    if not isinstance(loop.iter, ast.Name | ast.Attribute):
        return None
    text = ast.unparse(loop.iter)
    first = ast.parse(f"{ast.unparse(loop.target)} = {text}[i_]").body
    bounds = [ast.parse(one, mode="eval").body for one in ("0", f"len({text})", "1")]
    return Items("i_", bounds, tuple(first), (f"{text}.ndim == 2",))


def by_number(text: str) -> tuple[str, tuple[str, ...]]:
    loop = ast.parse(text).body[0]
    assert isinstance(loop, ast.For)
    was = ast.unparse(loop)
    made, equal = items_by_number(loop, read)
    assert ast.unparse(loop) == was
    return ast.unparse(made), equal


def test_items_are_parts_of_arrays() -> None:
    found, equal = by_number("for row in x:\n    v = v + row")
    assert found == "for i_ in range(0, len(x), 1):\n    row = x[i_]\n    v = v + row"
    assert equal == ("x.ndim == 2",)


def test_loops_inside() -> None:
    found, equal = by_number("for t in range(3):\n    for row in m.x:\n        v = v + row")
    assert "    for i_ in range(0, len(m.x), 1):\n        row = m.x[i_]\n" in found
    assert equal == ("m.x.ndim == 2",)


@pytest.mark.parametrize(
    "text",
    [
        "for row in x:\n    x = x * 2",
        "for x in x:\n    v = v + x",
        "for row in x:\n    for x in y[0]:\n        pass",
        "for row in m.x:\n    m.x = row",
        "for row in m.x:\n    m = row",
        "for row in m.x:\n    f(m)[0].x = row",
        "for row in x:\n    f = lambda: row",
    ],
)
def test_what_is_gone_over_is_what_it_was(text: str) -> None:
    found, equal = by_number(text)
    assert found.partition("\n")[0] == text.partition("\n")[0]
    assert not equal


def test_heads_alone() -> None:
    loop = ast.parse("for a, b in zip(x, y):\n    c = a").body[0]
    assert isinstance(loop, ast.For)
    assert ast.unparse(without_body(loop)) == "for a, b in zip(x, y):\n    pass"
