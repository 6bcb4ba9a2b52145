"""Literals, against what the standard library says of them."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.source.literals import is_no_table, literal_value

PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=3)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.complex_numbers(
    allow_nan=False, allow_infinity=False
)
KEYS = PLAIN | st.tuples(PLAIN, PLAIN)
LITERALS = st.recursive(
    PLAIN | NUMBERS,
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner) | st.sets(KEYS)
    ),
    max_leaves=8,
)


def tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@given(LITERALS)
def test_the_text_of_a_value_gives_the_value(value):
    found = literal_value(tree(repr(value)))
    assert repr(found) == repr(ast.literal_eval(repr(value)))


@pytest.mark.parametrize(
    "text",
    ["x", "[1, x]", "f()", "1 + 1", "-x", "not 1", "-'a'", "{**x}", "{1: x}", "x[0]", "(1, *x)",
     "1 + 2j + 3", "lambda: 1", "f'{1}'"],
)  # fmt: skip
def test_anything_else_is_refused(text):
    for read in (ast.literal_eval, literal_value):
        with pytest.raises(ValueError, match=r"no literal|is spread|malformed"):
            read(tree(text))


@pytest.mark.parametrize("text", ["{[]}", "{[]: 1}"])
def test_what_cannot_be_a_key_is_told(text):
    with pytest.raises(TypeError, match="unhashable"):
        literal_value(tree(text))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("[(1.0, 2), (3, 4.0)]", False),
        ("[(1.0, 2), (3, 4)]", True),
        ("[(0, 1, 0.5), (1, 2, 0.25)]", True),
        ("[(0, 1), (1, 2)]", False),
        ("[0, 0.5, 1]", False),
        ("[1, 2j]", False),
        ("[('a', 2), ('b', 4)]", True),
        ("([1, 2], [3])", True),
        ("[None, 1.0]", True),
        ("[a, b]", False),
    ],
)
def test_tables_of_numbers(shown: str, expected: bool):
    module = ast.parse(f"X = {shown}\nY = [1]\nZ: list = {shown}\n")
    assert is_no_table(module, "X") is expected
    assert is_no_table(module, "Z") is expected
    assert not is_no_table(module, "Y")
