"""Items under keys and at places that are written out."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.constantkeys import Item, always_read, constant_key, free_name


@pytest.mark.parametrize(
    ("text", "key", "name"),
    [
        ("bus['p']", "p", "p"), ("bus['two words']", "two words", "bus_item"),
        ("w[0]", 0, "w_0"), ("w[-1]", -1, "w_last_1"), ("w[k]", None, None), ("w[:2]", None, None),
        ("w[True]", None, None), ("w[0.5]", None, None), ("w", None, None),
    ],
)  # fmt: skip
def test_keys_that_are_written_out(text: str, key: str | int | None, name: str | None):
    node = ast.parse(text, mode="eval").body
    assert constant_key(node) == key
    if name is not None:
        assert isinstance(node, ast.Subscript)
        assert free_name(node) == name


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("x = a['k'][0] + b[1]", {("a", "k"), ("b", 1)}),
        ("if a['k']: b[1]", {("a", "k")}),
        ("x = a['k'] if b[0] else b[1]", {("b", 0)}),
        ("x = b[0] and b[1]", {("b", 0)}),
        ("for i in range(n): b[0]", {("b", 0)}),
        ("while x: b[0]", set()),
        ("b[0]\n    if x: return\n    b[1]", {("b", 0)}),
        ("x = lambda: b[0]", set()),
        ("x = [b[0] for _ in y]", set()),
    ],
)
def test_what_is_read_in_any_case(body: str, items: set[Item]):
    (function,) = ast.parse(f"def f():\n    {body}\n").body
    assert isinstance(function, ast.FunctionDef)
    assert always_read(function) == items
