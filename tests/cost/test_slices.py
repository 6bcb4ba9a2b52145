"""How many elements slices have, as far as their bounds say."""

from __future__ import annotations

import ast

import pytest

from gpuport.cost.slices import width

KNOWN = {"order": 2, "k": 5}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[n - order:n]", 2),
        ("x[n:n + order]", 2),
        ("x[i - 1:i + 2]", 3),
        ("x[2*i:2*i + 2]", 2),
        ("x[3 * i:3 * (i + 1)]", 3),
        ("x[i + k - order:i + k]", 2),
        ("x[:order]", 2),
        ("x[-order:]", 2),
        ("x[:3]", 3),
        ("x[4:7]", 3),
        ("x[-1::-1]", None),
        ("x[1:k:2]", 2),
        ("x[:]", None),
        ("x[1:]", None),
        ("x[:-1]", None),
        ("x[1:-1]", None),
        ("x[-3:k]", None),
        ("x[:n]", None),
        ("x[n:]", None),
        ("x[n:m]", None),
        ("x[k - order:n]", None),
        ("x[5:2]", 0),
    ],
)
def test_width(text: str, expected: int | None) -> None:
    part = ast.parse(text, mode="eval").body.slice  # type: ignore[attr-defined]
    assert width(part, None, lambda one: KNOWN.get(getattr(one, "id", ""))) == expected
    assert width(part, 4, lambda one: KNOWN.get(getattr(one, "id", ""))) == min(
        4 if expected is None else expected, 4
    )
