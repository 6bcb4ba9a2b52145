"""Places of any layout are interpolated at on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport import runtime

KNOTS = np.array([0.0, 1.0, 3.0])
PLACES = np.linspace(-1.0, 4.0, 24).reshape(4, 6)


@pytest.mark.parametrize(
    "part", [lambda x: x, lambda x: x.T, lambda x: x[::2, ::-1], lambda x: x[:, 1], lambda x: x[2]]
)
def test_places_laid_out_as_they_may_be(either_cupy: Any, part: Any) -> None:
    cp = either_cupy
    expected = np.interp(part(PLACES), KNOTS, KNOTS**2, left=-1.0)
    knots, values = cp.asarray(KNOTS), cp.asarray(KNOTS**2)
    found = runtime.interp(part(cp.asarray(PLACES)), knots, values, left=-1.0)
    assert isinstance(found, cp.ndarray)
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


def test_arrays_of_numpy_go_to_numpy() -> None:
    found = runtime.interp(PLACES.T, KNOTS, KNOTS, period=2.0)
    np.testing.assert_array_equal(found, np.interp(PLACES.T, KNOTS, KNOTS, period=2.0))


@pytest.mark.parametrize("place", [2.5, np.float64(0.5), np.int64(1), True])
def test_one_place_beside_arrays_of_the_device(either_cupy: Any, place: Any) -> None:
    cp = either_cupy
    found = runtime.interp(place, cp.asarray(KNOTS), cp.asarray(KNOTS**2))
    assert isinstance(found, cp.ndarray)
    assert found.shape == ()
    assert cp.asnumpy(found) == np.interp(place, KNOTS, KNOTS**2)


def test_one_place_among_arrays_of_numpy() -> None:
    assert runtime.interp(2.5, KNOTS, KNOTS**2) == np.interp(2.5, KNOTS, KNOTS**2)
