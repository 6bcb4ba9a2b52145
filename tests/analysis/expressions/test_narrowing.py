"""Conditions that say that a name is not None."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.nones import not_none


@pytest.mark.parametrize(
    ("test", "holding", "failing"),
    [
        ("x is None", "", "x"),
        ("x is not None", "x", ""),
        ("not x is None", "x", ""),
        ("x is not None and y is not None", "x y", ""),
        ("x is None or y is None", "", "x y"),
        ("x is None and y is None", "", ""),
        ("x is not None or y is not None", "", ""),
        ("x is not None and n > 3", "x", ""),
        ("x == None", "", ""),
        ("x is True", "", ""),
        ("x.y is None", "", ""),
        ("x", "", ""),
    ],
)
def test_names_that_are_not_none(test: str, holding: str, failing: str):
    node = ast.parse(test, mode="eval").body
    assert not_none(node, holds=True) == set(holding.split())
    assert not_none(node, holds=False) == set(failing.split())
