"""Running extremes on the device: CuPy's `minimum` and `maximum` do not accumulate.

Each step compares elements that are twice as far apart as in the one before (Hillis and Steele,
"Data parallel algorithms", 1986): of `n` elements there are ``log2(n)`` steps. An extreme of
extremes is the same in any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def running_minimum(array: Any, axis: int = 0) -> Any:
    """``numpy.minimum.accumulate``, of device arrays on the device.

    Parameters
    ----------
    array : cupy.ndarray or numpy.ndarray
        Of real numbers, with an axis at least.
    axis : int, optional

    Returns
    -------
    cupy.ndarray or numpy.ndarray
        Of its shape and dtype: the least of the elements up to each. NaN stays, once it is met.
    """
    return _running("minimum", array, axis)


def running_maximum(array: Any, axis: int = 0) -> Any:
    """``numpy.maximum.accumulate``: the largest so far, as for :func:`running_minimum`."""
    return _running("maximum", array, axis)


def _running(name: str, array: Any, axis: int) -> Any:
    cupy = loaded_cupy()
    if cupy is None or not isinstance(array, cupy.ndarray):
        return getattr(np, name).accumulate(array, axis)
    found = array.copy()
    along = cupy.moveaxis(found, axis, 0)
    step = 1
    while step < len(along):
        along[step:] = getattr(cupy, name)(along[step:], along[:-step])
        step *= 2
    return found


__all__ = ["running_maximum", "running_minimum"]
