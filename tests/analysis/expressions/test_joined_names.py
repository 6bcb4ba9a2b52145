"""Names of formulas that would be arrays, were one of the names an array."""

from __future__ import annotations

import ast

import pytest

from gpuport.analysis.expressions.operators import joined_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", ["a"]),
        ("-a * (b + 2) / c", ["c", "a", "b"]),
        ("1.5", []),
        ("a * f(b)", []),
        ("a ** b", []),
        ("a and b", []),
        ("not a", []),
    ],
)
def test_names_of_plain_arithmetic_in_the_order_of_a_walk(text: str, names: list[str]) -> None:
    found = joined_names(ast.parse(text, mode="eval").body)
    assert sorted(one.id for one in found) == sorted(names)
    walked = [n for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)]
    assert [one.id for one in found] == [one.id for one in walked if one.id in names]


def test_a_name_that_is_stored_to_is_no_formula() -> None:
    statement = ast.parse("w += y").body[0]
    assert isinstance(statement, ast.AugAssign)
    assert joined_names(statement.target) == []
