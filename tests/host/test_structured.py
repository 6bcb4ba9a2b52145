"""Structured element types as CuPy 14 has them: fields are views, kernels want aligned types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport import host


def test_fields_are_views(emulated: Any) -> None:
    x = emulated.zeros(3, "i4,f4")
    x["f1"] = emulated.arange(3)
    x["f0"] += 7
    assert x.get().tolist() == [(7, 0.0), (7, 1.0), (7, 2.0)]
    assert x[["f1"]].get().tolist() == [(0.0,), (1.0,), (2.0,)]
    with pytest.raises(ValueError, match="no field name of z"):
        x["z"]


def test_types_that_a_kernel_cannot_read(emulated: Any) -> None:
    for dtype, message in (("?,f8", "Field f1 with offset 1"), ("f8,?", "Itemsize 9 is not")):
        with pytest.raises(ValueError, match=message):
            emulated.ones(4, dtype)
        made = emulated.array(np.ones(4, dtype))
        with pytest.raises(ValueError, match="sufficiently aligned"):
            made["f1" if dtype == "?,f8" else "f0"]
    assert emulated.make_aligned_dtype("f8,?").itemsize == 16
    assert emulated.ones(4, emulated.make_aligned_dtype("f8,?"))["f1"].all()


@pytest.mark.parametrize("dtype", ["O", "i4,O", "V0", "3i4", ">i4", "U3", "M8[s]"])
def test_types_that_a_device_does_not_have(emulated: Any, dtype: str) -> None:
    with pytest.raises(ValueError, match="Unsupported dtype"):
        emulated.empty(2, np.dtype(dtype))


def test_comparisons(emulated: Any) -> None:
    x = emulated.array([(1, 2.0), (3, 4.0)], "i8,f8")
    y = emulated.array([(1, 2.0), (3, 5.0)], "f8,i8")
    assert (x == y).tolist() == [True, False]
    assert (x != y).tolist() == [False, True]
    with pytest.raises(TypeError, match="structured and non-structured"):
        x == emulated.zeros(2, "V16")  # noqa: B015
    with pytest.raises(TypeError):
        x + x


def test_structures_are_not_of_cupy_13() -> None:
    host.install(version=13)
    try:
        import cupy

        with pytest.raises(ValueError, match="Unsupported dtype"):
            cupy.zeros(3, "i4,f4")
    finally:
        host.uninstall()
