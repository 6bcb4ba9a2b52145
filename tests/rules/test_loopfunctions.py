"""What ``rules/loops.yaml`` says of functions is so."""

from __future__ import annotations

import operator
from pydoc import locate
from typing import Any

import numpy as np
import pytest

from gpuport.rules.loopfunctions import exact, makers, vector_functions

VECTOR = np.array([1.0, 3.0, 2.0])
REDUCED = {
    "+": 6.0, "mean": 2.0, "median": 2.0, "maximum": 3.0, "minimum": 1.0, "any": True, "all": True,
}  # fmt: skip
ALL_MAKERS = makers().of_shape | makers().of_shape_of | makers().of_items | makers().counting


def function(path: str) -> Any:
    """A function, a method, or what an operator calls."""
    return operator.matmul if path == "@" else locate(path)


def called(path: str, *arguments: Any) -> Any:
    """What a function, or a method of the first argument, gives."""
    return function(path)(*arguments)


@pytest.mark.parametrize("path", sorted(vector_functions().paths | exact() | ALL_MAKERS))
def test_the_functions_exist(path: str) -> None:
    assert callable(function(path))


@pytest.mark.parametrize("path", sorted(makers().filled))
def test_arrays_of_a_shape_hold_what_is_said(path: str) -> None:
    made, wanted = called(path, (2, 3)), makers().filled[path]
    assert made.shape == (2, 3)
    assert wanted is None or (made == wanted).all()


@pytest.mark.parametrize("path", sorted(makers().alike))
def test_arrays_of_the_shape_of_another_hold_what_is_said(path: str) -> None:
    made, wanted = called(path, VECTOR), makers().alike[path]
    assert made.shape == VECTOR.shape
    assert wanted is None or (made == wanted).all()


@pytest.mark.parametrize("path", sorted(makers().filled_with | makers().alike_with))
def test_the_second_argument_is_what_they_hold(path: str) -> None:
    assert (called(path, 3 if path in makers().filled_with else VECTOR, 7.0) == 7.0).all()


@pytest.mark.parametrize("path", sorted(makers().of_items | makers().copies))
def test_copies_share_no_memory_and_others_do(path: str) -> None:
    copies = makers().copies | makers().copies_of_items
    assert np.shares_memory(called(path, VECTOR), VECTOR) is not (path in copies)


@pytest.mark.parametrize("path", sorted(vector_functions().reductions))
def test_reductions_are_by_what_is_said(path: str) -> None:
    assert called(path, VECTOR) == REDUCED[vector_functions().reductions[path]]


@pytest.mark.parametrize("path", sorted(vector_functions().spreads))
def test_spreads_are_variances_or_their_roots(path: str) -> None:
    power = {"var": 1, "std": 2}[vector_functions().spreads[path]]
    assert called(path, VECTOR) ** power == pytest.approx(2 / 3)


@pytest.mark.parametrize("path", sorted(vector_functions().products))
def test_products_are_sums_of_products(path: str) -> None:
    assert called(path, VECTOR, VECTOR) == 14.0


@pytest.mark.parametrize("path", sorted(vector_functions().extremes))
def test_an_element_that_compares_so_does_not_come_before_the_best(path: str) -> None:
    behind, place = vector_functions().extremes[path], called(path, VECTOR)
    assert all(eval(f"{one} {behind} {VECTOR[place]}") for one in VECTOR.tolist())


@pytest.mark.parametrize("path", sorted(vector_functions().sorting))
def test_nan_has_a_place_in_an_order_or_none(path: str) -> None:
    orders = [list(called(path, [*one])) for one in ((1.0, np.nan, 0.0), (np.nan, 0.0, 1.0))]
    same = np.array_equal(*orders, equal_nan=True)
    assert same is vector_functions().sorting[path]
