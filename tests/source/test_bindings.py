"""What a name is set to before a statement."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.bindings import statements_before, value_set


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("s = 1", "1"),
        ("s = 0\ns = 2\nt = 3", "2"),
        ("t, s = 4, 5", "5"),
        ("n, s = x.shape", "x.shape[1]"),
        ("s = 1\nimport numpy as np", "1"),
        ("*t, s = 1, 2, 3", None),  # the last of all, which is not the second
        ("t, s = pair", None),
        ("s = 1\ns += 1", None),
        ("s = 1\nif t:\n    s = 2", None),
        ("s = 1\nimport s", None),
        ("s = 1\nfrom m import *", None),
        ("s = 1\ndef s():\n    pass", None),
        ("s = 1\ntry:\n    f()\nexcept E as s:\n    pass", None),
        ("s = 1\nglobal s", None),
        ("t = 1", None),
    ],
)
def test_the_last_statement_that_may_bind_a_name_tells(text: str, value: str | None) -> None:
    found = value_set(ast.parse(text).body, "s")
    assert (None if found is None else ast.unparse(found)) == value


def test_statements_before_one_are_those_of_its_block() -> None:
    tree = ast.parse("a = 1\nif c:\n    b = 2\n    d = 3\nelse:\n    e = 4")
    inner = tree.body[1]
    assert isinstance(inner, ast.If)
    assert [ast.unparse(one) for one in statements_before(tree, inner.body[1])] == ["b = 2"]
    assert statements_before(tree, inner.orelse[0]) == []
    assert statements_before(tree, ast.Pass()) == []
