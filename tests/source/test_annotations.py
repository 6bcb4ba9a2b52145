"""What annotations say of what holds numbers."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.annotations import what_is_said


def said(text: str) -> str | None:
    return what_is_said(
        ast.parse(text, mode="eval").body,
        lambda leaf: None if ast.unparse(leaf) == "Any" else ast.unparse(leaf),
        lambda kind, parts: f"{kind}({', '.join(parts)})",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("float", "float"),
        ("list[float]", "list(float)"),
        ("typing.List['float']", "list(float)"),
        ("dict[str, float]", "dict(float)"),
        ("'dict[str, list[int]]'", "dict(list(int))"),
        ("tuple[int, ...]", "many(int)"),
        ("tuple[int, float]", "tuple(int, float)"),
        ("float | None", "union(float, None)"),
        ("Optional[float]", "union(float, None)"),
        ("Union[int, float]", "union(int, float)"),
        ("Annotated[list[int], 3]", "union(list(int))"),
        ("list[Any]", None),
        ("list", "list"),
        ("tuple[int, Any]", None),
        ("Callable[[int], float]", "Callable[[int], float]"),
    ],
)
def test_what_is_said(text, told):
    assert said(text) == told
