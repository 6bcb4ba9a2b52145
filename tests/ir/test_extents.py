"""Sums of symbols are what their arithmetic says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gpuport.ir import Function
from gpuport.ir.extents import Affine, Symbol
from gpuport.records import Span

HOME = Function("f", "f", Span(1, 1, 1, 1))
SYMBOLS = [Symbol(HOME.fresh(name, HOME), (("axis", 0),), name) for name in "abc"]
VALUES = st.fixed_dictionaries({symbol: st.integers(-9, 9) for symbol in SYMBOLS})
NUMBERS = st.integers(-5, 5)


@st.composite
def extents(draw: st.DrawFn) -> Affine:
    total = Affine((), draw(NUMBERS))
    for symbol in draw(st.lists(st.sampled_from(SYMBOLS), max_size=4)):
        total = total + Affine.of(symbol) * draw(NUMBERS)
    return total


@given(extents(), extents(), NUMBERS, VALUES)
def test_arithmetic_is_that_of_the_values(a, b, k, values):
    x, y = a.value(values), b.value(values)
    assert (a + b).value(values) == x + y
    assert (a - b).value(values) == x - y
    assert (a * k).value(values) == x * k
    assert (a + k).value(values) == x + k
    assert (-a).value(values) == -x


@given(extents(), extents())
def test_equal_sums_are_equal_however_they_were_made(a, b):
    assert a + b == b + a
    assert hash(a + b) == hash(b + a)
    assert (a + b) - b == a
    assert a - a == Affine()


@given(extents(), extents(), VALUES)
def test_renaming_puts_in_what_a_symbol_means(a, meaning, values):
    first, *others = SYMBOLS
    meanings = {first: meaning, **{symbol: Affine.of(symbol) for symbol in others}}
    renamed = a.renamed(meanings)
    assert renamed is not None
    assert renamed.value(values) == a.value({**values, first: meaning.value(values)})


def test_what_has_no_counterpart_has_no_name():
    assert Affine.of(SYMBOLS[0]).renamed({}) is None
    assert Affine((), 3).renamed({}) == Affine((), 3)
