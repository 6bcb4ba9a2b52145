"""Comparison alone: what is exact, what a deviation may be, and that no difference hides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gpuport.verify.aftermath.leaves import Observation, leaves_of
from gpuport.verify.comparison.compare import compare
from gpuport.verify.execution.tolerance import Policy


def seen(value: Any) -> Observation:
    leaves = tuple(leaves_of("result", value, lambda v: None))
    return Observation(leaves, leaves)


def difference(first: Any, second: Any, **policy: Any) -> str | None:
    return compare(seen(first), seen(second), Policy(**policy)).difference


NESTED = st.recursive(
    st.one_of(
        st.integers(),
        st.floats(),
        st.booleans(),
        st.text(max_size=3),
        st.none(),
        arrays.arrays(
            st.sampled_from([np.float64, np.float32, np.int32, np.complex128, np.bool_]),
            arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
        ),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)


@given(NESTED)
def test_everything_equals_itself(value: Any) -> None:
    assert difference(value, value) is None


@given(arrays.arrays(np.int64, arrays.array_shapes(max_side=4)), st.data())
def test_any_changed_integer_is_found(values: np.ndarray, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, values.size - 1))
    other = values.copy()
    other.flat[place] ^= 1
    assert difference(values, other) is not None


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (np.float64(1), 1.0, "type"),
        (1, True, "type"),
        (np.ones(2), np.ones((2, 1)), "shape"),
        (np.ones(2), np.ones(2, np.float32), "dtype"),
        ((1, 2), [1, 2], "struct"),
        ({"a": 1}, {"b": 1}, "struct"),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0]), "value"),
        (np.array([np.inf]), np.array([-np.inf]), "value"),
        (np.array([1.0]), np.array([1.0 + 1e-13]), "value"),
        (10**40, 10**40 + 1, "value"),
        ([1], [1, 2], "struct"),
        (None, 0, "type"),
    ],
)
def test_what_differs_is_named(first: Any, second: Any, word: str) -> None:
    found = difference(first, second)
    assert found is not None
    assert found.startswith(word)


def test_a_few_roundings_are_accepted_and_recorded() -> None:
    outcome = compare(seen(np.array([0.1])), seen(np.array([np.nextafter(0.1, 1)])), Policy())
    assert outcome.difference is None
    assert outcome.errors.ulp == 1
    assert sum(outcome.looseness.values()) == 1


def test_the_originals_own_response_widens_the_tolerance() -> None:
    original, port = np.array([1.0]), np.array([1.0 + 1e-12])
    moved = [seen(np.array([1.0 + 5e-13]))]
    assert difference(original, port) is not None
    assert difference(original, port, responses=moved) is None


def test_jumps_are_left_out_only_where_ties_have_measure_zero() -> None:
    original = np.zeros(40, np.int64)
    port = original.copy()
    port[7] = 1
    moved = [seen(port)]
    assert difference(original, port, responses=moved) is not None
    assert difference(original, port, responses=moved, smooth=True) is None
    port[:5] = 1
    assert difference(original, port, responses=moved, smooth=True) is not None


def test_a_flushed_float32_subnormal_is_a_note_and_a_lost_float64_value_is_not() -> None:
    tiny = np.array([1e-43])
    assert difference(tiny, np.zeros(1)) is not None
    outcome = compare(seen(tiny), seen(np.zeros(1)), Policy(single=True))
    assert outcome.difference is None
    assert outcome.notes["float32 subnormals flushed to zero"] == 1


def test_signed_zero_is_a_note() -> None:
    outcome = compare(seen(np.array([0.0])), seen(np.array([-0.0])), Policy())
    assert outcome.difference is None
    assert outcome.notes["signed zero"] == 1


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
@pytest.mark.parametrize(("value", "equal"), [("max", True), (0, True), (1, False), (-1, False)])
def test_a_cast_of_what_no_integer_holds_is_a_note(dtype: Any, value: Any, equal: bool) -> None:
    limits = np.iinfo(dtype)
    became = limits.max if value == "max" else value
    first, second = np.array([3, limits.min], dtype), np.array([3, became], dtype)
    found = compare(seen(first), seen(second), Policy())
    assert (found.difference is None) is equal
    assert any("cannot hold" in note for note in found.notes) is equal
    # a value that an integer holds stays what it is
    assert difference(np.array([5], dtype), np.array([limits.max], dtype)) is not None


def test_it_is_told_how_well_each_place_could_be_compared() -> None:
    both = seen((np.array([1.0, 2.0]), np.array([0.0, np.nan]), np.array([3])))
    found = compare(both, both, Policy())
    assert found.difference is None
    assert found.told == {"result[0]"}
    assert found.vague == set()


def test_beside_numbers_about_to_overflow_infinities_come_of_the_order_of_a_sum() -> None:
    first = np.array([1.7e308, np.inf, -np.inf, 1e300, 2.0])
    second = np.array([np.inf, np.nan, -np.inf, np.nan, 2.0])
    assert difference(first, second) is None
    assert "value" in str(difference(first, np.array([1.7e308, 2.0, -np.inf, 1e300, 2.0])))
    assert "value" in str(difference(first, np.array([1.7e308, np.inf, -np.inf, 1e300, np.inf])))


def test_elsewhere_an_infinity_is_no_nan() -> None:
    assert "value" in str(difference(np.array([1e100, np.inf]), np.array([1e100, np.nan])))
    assert "value" in str(difference(np.array([np.inf]), np.array([np.nan])))
