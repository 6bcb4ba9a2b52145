"""What stands between the brackets of a subscript."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.entries import filled_up, is_whole, subscript_indices


def filled(text: str, rank: int) -> str | None:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Subscript)
    found = filled_up(subscript_indices(node), rank)
    return (
        None if found is None else ", ".join("*" if is_whole(e) else ast.unparse(e) for e in found)
    )


@pytest.mark.parametrize(
    ("text", "rank", "found"),
    [
        ("x[t]", 2, "t, *"),
        ("x[:, t - 1]", 2, "*, t - 1"),
        ("x[..., t]", 3, "*, *, t"),
        ("x[t, ...]", 2, "t, *"),
        ("x[3]", 1, "3"),
        ("x[t, s]", 1, None),
        ("x[1:]", 2, None),
        ("x[None]", 1, None),
        ("x[..., ...]", 2, None),
        ("x[[1, 2]]", 2, None),
        ("x[True]", 2, None),
    ],
)
def test_an_entry_for_each_axis(text: str, rank: int, found: str | None) -> None:
    assert filled(text, rank) == found
