"""Literals, conversions, parentheses and names."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.loops.cuda.scopes import scopes
from gpuport.loops.cuda.statements import folded
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.text import ATOM, SUM, Text, cast, infix, literal


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (2.5, "float64", "2.5"),
        (2.5, "float32", "2.5f"),
        (0.1, "float32", "0.1f"),
        (3, "float64", "3.0"),
        (float("inf"), "float64", "CUDART_INF"),
        (float("-inf"), "float32", "-CUDART_INF_F"),
        (7, "int64", "7"),
        (2**40, "int64", "1099511627776LL"),
        (0xFFFFFFFF, "int64", "0xFFFFFFFFLL"),
        (5, "uint32", "5u"),
        (-(2**63), "int64", "(-9223372036854775807LL - 1)"),
        (True, "bool", "true"),
        (1j, "complex128", "complex<double>(0.0, 1.0)"),
    ],
)
def test_literals(value: complex, dtype: str, text: str) -> None:
    assert literal(value, dtype).text == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_written_so_that_it_is_read_back(value: float) -> None:
    assert float(literal(value, "float64").text) == value


@pytest.mark.parametrize(
    ("symbol", "a", "b", "computed", "text"),
    [
        ("+", ("a", "int32"), ("b", "int64"), "int64", "a + b"),
        ("+", ("a", "int32"), ("b", "uint32"), "int64", "(long long)a + b"),
        ("*", ("a", "int32"), ("b", "float32"), "float64", "(double)a * b"),
        ("*", ("a", "uint16"), ("b", "uint16"), "uint16", "(unsigned short)((unsigned int)a * b)"),
        ("-", ("a", "int8"), ("b", "int8"), "int8", "(signed char)(a - b)"),
        ("/", ("a", "int64"), ("b", "int64"), "float64", "(double)a / b"),
        ("+", ("a", "float64"), ("b", "float32"), "float32", "(float)a + b"),
    ],
)
def test_operands_are_converted_where_c_would_compute_otherwise(
    symbol: str, a: tuple[str, str], b: tuple[str, str], computed: str, text: str
) -> None:
    operands = (Text(a[0], ATOM, a[1]), Text(b[0], ATOM, b[1]))
    assert infix(symbol, operands, computed, computed).text == text


def test_sums_on_the_right_keep_their_parentheses() -> None:
    total = Text("b + c", SUM, "float64")
    left = infix("-", (total, Text("a", ATOM, "float64")), "float64", "float64")
    right = infix("-", (Text("a", ATOM, "float64"), total), "float64", "float64")
    assert (left.text, right.text) == ("b + c - a", "a - (b + c)")


def test_floats_become_narrow_integers_through_wide_ones() -> None:
    assert cast(Text("x", ATOM, "float64"), "uint8").text == "(unsigned char)(long long)x"


def test_names_that_mean_something_else_are_changed() -> None:
    names = Names()
    changed = [names[n] for n in ("double", "i", "n", "_hidden", "exp", "wrap", "self.u", "alpha")]
    assert changed == ["double_", "i_", "n_", "hidden", "exp_", "wrap_", "u", "alpha"]
    assert len({names["u"], names["self.u"], names["_u"]}) == 3


def test_variables_are_declared_where_they_are_first_set() -> None:
    body = ast.parse("a = x\nfor k in range(3):\n    b = a\n    a = b\nif a:\n    c = 1\n").body
    found = scopes(body)
    loop, condition = body[1], body[2]
    assert isinstance(loop, ast.For)
    assert isinstance(condition, ast.If)
    assert found.inline == {(body[0], "a"), (loop.body[0], "b"), (condition.body[0], "c")}
    assert found.counters == {loop}
    assert found.constant == {"b", "c"}


def test_a_variable_that_survives_a_round_is_declared_outside() -> None:
    body = ast.parse("for k in range(3):\n    if k == 0:\n        v = 1\n    w = v\n").body
    assert scopes(body).before == {body[0]: ["v"]}


def test_long_lines_are_broken_at_an_operator() -> None:
    line = "    total = " + " + ".join(f"first_{k} * second_{k}" for k in range(8)) + ";"
    found = folded([line])
    assert all(len(part) <= 92 for part in found)
    assert all(part.lstrip().startswith("+") for part in found[1:])
    assert " ".join(part.strip() for part in found) == line.strip()
