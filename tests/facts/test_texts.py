"""Methods of texts that stand in a program."""

from __future__ import annotations

import pytest

from gpuport.facts.texts import called_on_text
from gpuport.ir.types import NONE, STRING, UNKNOWN, Type, of_constant


@pytest.mark.parametrize(
    ("text", "method", "given", "expected"),
    [
        ("a b", "split", [], ["a", "b"]),
        ("a,b", "split", [","], ["a", "b"]),
        ("a b c", "split", [None, 1], ["a", "b c"]),
        (" a ", "strip", [], "a"),
        ("a", "center", [10**9], None),
        ("a" * 9999, "replace", ["a", "b" * 9999], None),
        ("{0:999999999}", "format", [1], None),
        ("a", "split", [3], None),
        ("a", "no_such", [], None),
    ],
)
def test_calls(text: str, method: str, given: list[object], expected: object) -> None:
    types = [NONE if one is None else of_constant(one) for one in given]
    assert called_on_text(of_constant(text), method, types) == expected


@pytest.mark.parametrize("unknown", [UNKNOWN, STRING, Type("number", "int")])
def test_what_is_not_known_gives_nothing(unknown: Type) -> None:
    assert called_on_text(of_constant("a b"), "split", [unknown]) is None
    assert called_on_text(unknown, "split", []) is None
