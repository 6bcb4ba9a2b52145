"""Comprehensions that make a dict of another one."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.renewed import items_renewed


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("{k: f(v) for k, v in d.items()}", "d"),
        ("{k: v for k, v in x.held.items()}", "x.held"),
        ("{v: k for k, v in d.items()}", None),
        ("{k: v for k, v in d.items() if v}", None),
        ("{k: v for k, v in zip(a, b)}", None),
        ("{k: v for k, v in d.pairs()}", None),
        ("{k: v for k in d.items() for v in k}", None),
        ("{k: k for k, k in d.items()}", None),
        ("[v for k, v in d.items()]", None),
    ],
)
def test_what_is_renewed(text, held):
    found = items_renewed(ast.parse(text, mode="eval").body)
    assert (found and ast.unparse(found.held)) == held
