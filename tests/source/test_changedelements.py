"""Elements that loops change under names of their own."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.changedelements import behind_changed_elements

FUNCTIONS = {
    one.name: one for one in ast.parse(
        "def bump(a):\n    a += 1.0\n    return 3.0\n\ndef same(a):\n    return a\n"
    ).body if isinstance(one, ast.FunctionDef)
}  # fmt: skip


@pytest.mark.parametrize(
    ("body", "arrays"),
    [
        ("p = x[i]; p += 1", {"x"}),
        ("p: float = x[i]; p += 1", {"x"}),
        ("p = q = x[i]; r = q; r -= 1", {"x"}),
        ("p = x[i] if t else y[i]; p *= 2", {"x", "y"}),
        ("p, q = x[i], y[i]; q += 1", {"x", "y"}),
        ("p = same(x[i]); p += 1", {"x"}),
        ("p = max(x[i], y[i]); p += 1", {"x", "y"}),
        ("s[i] = bump(x[i])", {"x"}),
        ("p = float(x[i]); p += 1", set()),
        ("p = x[i] + 1; p += 1", set()),
        ("p = x[i]; p = p + 1", set()),
        ("s[i] = same(x[i])", set()),
    ],
)
def test_what_would_change_were_they_rows(body: str, arrays: set[str]):
    found = behind_changed_elements(ast.parse(f"for i in range(n):\n    {body}\n"), FUNCTIONS)
    assert found & {"x", "y"} == arrays


def test_items_that_a_loop_goes_over():
    found = behind_changed_elements(ast.parse("for p in x:\n    p += 1\n"), {})
    assert "x" in found
