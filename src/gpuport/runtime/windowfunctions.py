"""Window functions on the device as NumPy has them.

CuPy computes them from a step that is rounded to float32 (``cupy/_math/window.py``, 14.2), so that
7 of their digits are right. The formulas here are NumPy's own (numpy/lib/_function_base_impl.py),
in float64; their cosines may differ from NumPy's in the last bit.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np


def bartlett(M: Any) -> Any:
    """``numpy.bartlett`` on the device.

    Parameters
    ----------
    M : int
        Number of points; of less than 1, none.

    Returns
    -------
    cupy.ndarray
        ``float64[M]``.
    """

    def triangle(cp: Any, n: Any) -> Any:
        return cp.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1))

    return _window(M, triangle)


def blackman(M: Any) -> Any:
    """``numpy.blackman`` on the device: ``float64[M]``, as for :func:`bartlett`."""

    def cosines(cp: Any, n: Any) -> Any:
        first, second = cp.cos(np.pi * n / (M - 1)), cp.cos(2.0 * np.pi * n / (M - 1))
        return 0.42 + 0.5 * first + 0.08 * second

    return _window(M, cosines)


def hamming(M: Any) -> Any:
    """``numpy.hamming`` on the device: ``float64[M]``, as for :func:`bartlett`."""
    return _window(M, lambda cp, n: 0.54 + 0.46 * cp.cos(np.pi * n / (M - 1)))


def hanning(M: Any) -> Any:
    """``numpy.hanning`` on the device: ``float64[M]``, as for :func:`bartlett`."""
    return _window(M, lambda cp, n: 0.5 + 0.5 * cp.cos(np.pi * n / (M - 1)))


def _window(points: Any, shape: Callable[[Any, Any], Any]) -> Any:
    cp: Any = importlib.import_module("cupy")  # without a device it says so itself
    if points < 1:
        return cp.zeros(0)
    if points == 1:
        return cp.ones(1)
    return shape(cp, cp.arange(1.0 - points, points, 2.0))


COUNTERPARTS: dict[Any, Callable[[Any], Any]] = {
    bartlett: np.bartlett,
    blackman: np.blackman,
    hamming: np.hamming,
    hanning: np.hanning,
}
"""What stands for each where a ported function runs on the host."""
