"""Ties across arguments, and telling them from comparisons that rounding decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gpuport.verify.aftermath.leaves import Observation, leaves_of
from gpuport.verify.execution.tolerance import decided_by_rounding
from gpuport.verify.inputs.ties import tie
from gpuport.verify.records import Verdict
from gpuport.verify.slots import Slot, Trial

FLOATS = st.sampled_from(["float64", "float32"]).flatmap(
    lambda dtype: arrays(
        dtype, array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4),
        elements=st.floats(width=32),
    )
)  # fmt: skip
INTEGERS = arrays("int64", array_shapes(max_side=5), elements=st.integers(-9, 9))


@given(st.lists(FLOATS | INTEGERS | st.floats() | st.booleans(), max_size=4), st.integers(0, 99))
def test_shapes_dtypes_and_the_given_values_stay(values: list[Any], seed: int) -> None:
    drawn = {f"a{i}": value for i, value in enumerate(values)}
    before = [repr(value) for value in values]
    tied = tie(drawn, [], (), np.random.default_rng(seed))
    assert [repr(value) for value in values] == before
    for name, value in drawn.items():
        assert type(tied[name]) is type(value)
        assert np.shape(tied[name]) == np.shape(value)
        assert np.asarray(tied[name]).dtype == np.asarray(value).dtype


def test_elements_are_equal_and_one_beside() -> None:
    rng = np.random.default_rng(0)
    drawn = {"x": rng.normal(size=400), "y": rng.normal(size=400), "level": 0.5}
    equal = beside = numbers = 0
    for seed in range(9):
        tied = tie(drawn, [], (), np.random.default_rng(seed))
        apart = np.abs(tied["y"][:, None] - tied["x"])
        equal += np.count_nonzero(apart == 0)
        beside += np.count_nonzero((apart > 0) & (apart <= np.spacing(np.abs(tied["x"]))))
        numbers += bool((np.abs(tied["x"] - tied["level"]) < 1e-15).any())
    assert equal > 900
    assert beside > 200
    assert numbers >= 2


def test_what_has_properties_to_keep_stays_and_the_constructor_gives() -> None:
    x = np.array([1.0, 2.0, 3.0])
    drawn = {"x": x, "y": np.zeros(40)}
    tied = tie(drawn, [7.25], ("x",), np.random.default_rng(1))
    assert tied["x"] is x
    assert set(np.round(tied["y"], 6)) & {1.0, 2.0, 3.0, 7.25}


def test_integers_take_no_numbers_that_are_no_index() -> None:
    drawn = {"k": 77, "index": np.arange(6), "other": np.zeros(6, int)}
    tied = tie(drawn, [], (), np.random.default_rng(2))
    assert max(np.abs(tied["other"]).max(), np.abs(tied["index"]).max()) <= 6


def test_trials_say_whether_they_are_tied() -> None:
    slots = (Slot("x", "array", dims=("n",)),)
    assert Trial.from_json(Trial(slots, tied=True).to_json()).tied


def seen(*values: Any) -> Observation:
    return Observation(tuple(leaf for v in values for leaf in leaves_of("r", v, lambda _: None)))


@pytest.mark.parametrize(
    ("other", "decided"),
    [
        (seen(np.array([1.0, 2.0])), False),
        (seen(np.array([1.0, 2.0 + 1e-12])), False),
        (seen(np.array([1.0, 2.1])), True),
        (seen(np.array([1.0, np.nan])), True),
        (seen(np.array([1.0])), True),
        (seen(np.array([1.0, 2.0], np.longdouble)), False),
        (Observation(raised="TypeError"), False),
    ],
)
def test_another_course_under_rounding(other: Observation, decided: bool) -> None:
    assert decided_by_rounding(seen(np.array([1.0, 2.0])), [other]) is decided


def test_another_truth_value_is_another_course() -> None:
    assert decided_by_rounding(seen(True), [seen(True), seen(False)])


def test_memory_behind_a_view_is_no_course() -> None:
    base = Observation((*seen(1.0).leaves, *leaves_of("memory of x", np.ones(2), lambda _: None)))
    assert not decided_by_rounding(base, [seen(1.0)])


def test_the_rounding_of_single_precision_decides_nothing_in_a_wider_result(verify: Any) -> None:
    original = """
    def f(table: np.ndarray):
        means = np.zeros(table.shape[1])
        for k, column in enumerate(table.T.real):
            total = 0.0
            for value in column:
                total += value
            means[k] = total / len(column)
        return means
    """
    wrong = original.replace(
        "return means", "return means * (1.001 if table.dtype == np.float32 else 1.0)"
    )
    assert verify(original, wrong)["f"].verdict is Verdict.DIFFERS


def test_single_precision_among_the_inputs_makes_less_of_a_small_change() -> None:
    base, other = seen(np.array([1.0])), seen(np.array([1.0 + 1e-7]))
    assert decided_by_rounding(base, [other])
    assert not decided_by_rounding(base, [other], single=True)
    assert decided_by_rounding(base, [seen(np.array([2.0]))], single=True)
