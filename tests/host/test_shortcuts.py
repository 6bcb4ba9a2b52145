"""Short ways give what the general ones give, and leave to them what is out of the ordinary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.host.shortcuts import SHORTCUTS

VALUES = {
    "vector": np.arange(1.0, 7.0),
    "box": np.arange(1, 25, dtype=np.int32).reshape(2, 3, 4).transpose(2, 0, 1),
    "fortran": np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)),
    "mask": np.array([[True, False], [True, True]]),
    "number": np.array(3.5),
}
REDUCTIONS = sorted(n.removeprefix("cupy.") for n in SHORTCUTS if "axis" in SHORTCUTS[n].arguments)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("key", VALUES)
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_reductions(cp: Any, name: str, key: str, axis: int | None) -> None:
    values = VALUES[key]
    if axis is not None and values.ndim == 0:
        with pytest.raises(IndexError):  # mostly as AxisError, which is one
            getattr(cp, name)(cp.asarray(values), axis)
        return
    expected = np.asarray(getattr(np, name)(values, axis))
    results = [getattr(cp, name)(cp.asarray(values), axis)]
    if name not in ("min", "amin"):  # CuPy hands their `out` on as a dtype, which raises
        # a running sum without an axis is made in `out`, which has to have the array's shape
        scans = name.startswith("cum") and axis is None
        out = cp.empty(values.shape if scans else expected.shape, expected.dtype)
        results.append(getattr(cp, name)(cp.asarray(values), axis, out=out).reshape(expected.shape))
    for found in results:
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(cp.asnumpy(found), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["sum", "prod", "mean"])
def test_dtypes_that_no_device_has_are_refused(cp: Any, name: str) -> None:
    x = cp.arange(3.0)
    assert getattr(cp, name)(x, dtype="f4").dtype == np.float32
    for dtype in (object, "U1", np.longdouble):
        if np.dtype(dtype) != np.float64:
            with pytest.raises((TypeError, ValueError)):
                getattr(cp, name)(x, dtype=dtype)


def test_axes_that_there_are_not(cp: Any) -> None:
    for axis in (2, -3):
        with pytest.raises(np.exceptions.AxisError):
            cp.sum(cp.zeros((2, 3)), axis)
    assert cp.sum(cp.ones((2, 3)), (0, 1)) == 6
    assert cp.sum(cp.ones((2, 3)), 1, keepdims=True).shape == (2, 1)
    assert cp.std(cp.arange(4.0), ddof=1) == np.arange(4.0).std(ddof=1)


def test_what_is_left_out_is_told_by_its_default(cp: Any) -> None:
    assert cp.isclose(cp.array([1.0]), cp.array([1.0 + 1e-9]), 1e-05, 1e-08).all()


@pytest.mark.parametrize(
    "key",
    [
        (np.array([1, 1, 1, 0]),),
        (np.array([1, -1, 1]), np.array([0, 2, 0])),
        (np.array([[1], [1]]), np.array([0, 0])),
        (1, np.array([2, 2, 2])),
    ],
)
def test_the_first_of_several_values_for_a_place_wins(emulated: Any, key: Any) -> None:
    cp, values = emulated, np.zeros((2, 3))
    shape = values[key].shape
    given = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    x = cp.asarray(values)
    places = tuple(cp.asarray(k) if isinstance(k, np.ndarray) else k for k in key)
    x[places if len(places) > 1 else places[0]] = cp.asarray(given)
    flat = np.arange(6).reshape(2, 3)[key].ravel()
    order = flat.size - 1 - np.arange(flat.size)
    expected = values.ravel()
    for place in order:
        expected[flat[place]] = given.ravel()[place]
    np.testing.assert_array_equal(x.get(), expected.reshape(2, 3))
    y = cp.zeros((2, 3))
    cp.add.at(y, places, 1.0)
    counts = np.bincount(flat, minlength=6).reshape(2, 3)
    np.testing.assert_array_equal(y.get(), counts)


def test_masks_and_places(cp: Any) -> None:
    values = np.arange(6.0).reshape(2, 3)
    x, mask = cp.asarray(values), values % 2 == 0
    np.testing.assert_array_equal(cp.asnumpy(x[cp.asarray(mask)]), values[mask])
    np.testing.assert_array_equal(
        cp.asnumpy(x[cp.array([1, 0]), cp.array([2, 5])]), values[[1, 0], [2, 2]]
    )
    x[cp.asarray(mask)] = 0
    np.testing.assert_array_equal(cp.asnumpy(x), np.where(mask, 0, values))
    np.testing.assert_array_equal(cp.asnumpy(x[1, 1:]), [0, 5])


def test_products_over_axes(cp: Any) -> None:
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(12.0).reshape(4, 3)
    for axes in (([1, 2], [1, 0]), 1, ((2,), (0,)), 0):
        found = cp.tensordot(cp.asarray(a), cp.asarray(b), axes)
        np.testing.assert_array_equal(cp.asnumpy(found), np.tensordot(a, b, axes))
        assert found.flags.c_contiguous
    with pytest.raises(ValueError, match="Axis dimension mismatch"):
        cp.tensordot(cp.asarray(a), cp.asarray(b), 2)


def test_meshes_may_share_memory(cp: Any) -> None:
    x, y = cp.arange(3), cp.arange(2)
    for options in ({}, {"indexing": "ij"}, {"sparse": True}, {"copy": False}):
        expected = np.meshgrid(np.arange(3), np.arange(2), **options)  # type: ignore[call-overload]
        for found, values in zip(cp.meshgrid(x, y, **options), expected, strict=True):
            np.testing.assert_array_equal(cp.asnumpy(found), values)
