"""What transforms make of axes that there are not, and of complex numbers in place of real ones.

Source: ``cupy/fft/_fft.py``; compared with CuPy 14.2.0 on a GPU (tests/host/recorded).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Given = dict[str, Any]
Condition = Callable[[Given], None]


def _both(first: Condition, second: Condition) -> Condition:
    def check(given: Given) -> None:
        first(given)
        second(given)

    return check


def _real_numbers_of_complex_ones(given: Given, name: str = "a") -> None:
    """Source: ``_convert_dtype``, fft/_fft.py, which casts them."""
    array = given[name]
    if getattr(getattr(array, "dtype", None), "kind", "") == "c":
        warnings.warn(
            "Casting complex values to real discards the imaginary part",
            np.exceptions.ComplexWarning,
            stacklevel=5,
        )
        given[name] = array.real


def _axis_in_a_circle(given: Given, name: str = "a") -> None:
    """Source: ``_exec_fft``, fft/_fft.py, which takes the axis modulo the number of axes.

    Of several axes one is exchanged with the last one before that, which tells of a wrong axis.
    """
    ndim, axis = getattr(given[name], "ndim", 0), given["axis"]
    if not ndim or not isinstance(axis, int) or -ndim <= axis < ndim:
        return
    if axis % ndim != ndim - 1:
        raise ValueError("Axis out of range")
    given["axis"] = ndim - 1


def _axes_in_a_circle(given: Given, name: str = "a") -> None:
    """As of one axis; which there are is known once each has been taken modulo their number."""
    ndim, axes = getattr(given[name], "ndim", 0), given["axes"]
    if ndim and isinstance(axes, (tuple, list)) and all(isinstance(axis, int) for axis in axes):
        given["axes"] = tuple(axis % ndim for axis in axes)


def _different_axes_in_a_circle(given: Given) -> None:
    """An axis twice is left to NumPy's words: what CuPy makes of it is no transform."""
    asked = given["axes"]
    _axes_in_a_circle(given)
    if given["axes"] is not None and len(set(given["axes"])) < len(given["axes"]):
        given["axes"] = asked


TRANSFORMS: dict[str, Condition] = {
    **{f"cupy.fft.{name}": _axis_in_a_circle for name in ("fft", "ifft")},
    **{
        f"cupy.fft.{name}": _both(_real_numbers_of_complex_ones, _axis_in_a_circle)
        for name in ("rfft", "ihfft")
    },
    **{
        f"cupy.fft.{name}": _axes_in_a_circle
        for name in ("fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn")
    },
    **{
        f"cupy.fft.{name}": _both(_real_numbers_of_complex_ones, _different_axes_in_a_circle)
        for name in ("rfft2", "rfftn")
    },
    **{
        f"cupyx.scipy.fft.{name}": partial(_axes_in_a_circle, name="x")
        for name in ("fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn", "hfft2", "hfftn")
    },
    **{f"cupyx.scipy.fft.{name}": partial(_axis_in_a_circle, name="x") for name in ("fft", "ifft")},
    **{
        f"cupyx.scipy.fft.{name}": partial(_real_numbers_of_complex_ones, name="x")
        for name in ("rfft", "ihfft", "rfft2", "rfftn", "ihfft2", "ihfftn")
    },
}
"""By CuPy's name."""
