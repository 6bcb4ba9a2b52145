"""The join of two types holds for all that either holds for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuport.facts.claims import fits
from gpuport.facts.sampling import type_of
from gpuport.ir.types import UNKNOWN, alternatives, join

DTYPES = ["float64", "float32", "int64", "int32", "bool", "complex128"]
NUMBERS = st.one_of(
    st.integers(-5, 5),
    st.floats(-2, 2),
    st.booleans(),
    st.sampled_from(DTYPES).map(lambda dtype: np.dtype(dtype).type(1)),
)
ARRAYS = st.builds(
    lambda shape, dtype, order: np.zeros(shape, dtype, order=order),
    st.lists(st.integers(1, 3), max_size=3),
    st.sampled_from(DTYPES),
    st.sampled_from("CF"),
)
LEAVES = st.one_of(NUMBERS, ARRAYS, st.none(), st.text(max_size=2))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.tuples(inner, inner), st.lists(inner, max_size=2)),
    max_leaves=4,
)


@given(VALUES)
def test_a_value_is_of_its_type(value):
    assert fits(value, type_of(value))


@given(VALUES, VALUES)
def test_a_join_holds_for_both(one, other):
    both = join(type_of(one), type_of(other))
    assert fits(one, both)
    assert fits(other, both)
    assert both == join(type_of(other), type_of(one))


@given(VALUES, VALUES, VALUES)
def test_a_join_only_grows(one, other, third):
    both = join(type_of(one), type_of(other))
    all_three = join(both, type_of(third))
    assert join(all_three, both) == all_three
    assert fits(one, all_three)


def test_what_may_be_anything_stays_so():
    assert join(UNKNOWN, type_of(1.0)) == UNKNOWN


def test_either_kind_of_number_is_tried():
    numeric = join(type_of(np.float64(1)), type_of(1.0))
    kinds = {tuple(t.kind for t in way) for way in alternatives([numeric, type_of(2)])}
    assert kinds == {("scalar", "number"), ("number", "number")}
    assert numeric.dtype == "float64"
