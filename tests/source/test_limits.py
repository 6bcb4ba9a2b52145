"""What a test that holds says of the names in it."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.limits import limits


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("k < n", [("k", "n", False, 1), ("n", "k", True, 1)]),
        ("x[k] > v and k >= 1", [("v", "x[k]", False, 1), ("k", "1", True, 0)]),
        ("0 <= k", [("k", "0", True, 0)]),
        ("k < n or k < m", []),
        ("not k < n", []),
        ("0 < k < n", []),
        ("k != n", []),
    ],
)
def test_limits(test: str, expected: list[tuple[str, str, bool, int]]) -> None:
    found = limits(ast.parse(test, mode="eval").body)
    assert [(name.id, ast.unparse(one), above, by) for name, one, above, by in found] == expected
