"""Interpolation at places of any layout: CuPy reads them as one contiguous piece alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """``numpy.interp``, of device arrays on the device.

    Parameters
    ----------
    x : cupy.ndarray, numpy.ndarray or a number
        The places, laid out in memory as they may be; CuPy's function refuses parts of arrays,
        what is in Fortran order, and numbers.
    xp, fp : cupy.ndarray or numpy.ndarray
    left, right, period : float, optional

    Returns
    -------
    cupy.ndarray or numpy.ndarray
        Of the shape of `x`.
    """
    cupy = loaded_cupy()
    if cupy is not None and isinstance(xp, cupy.ndarray) and np.isscalar(x):
        x = cupy.asarray(x, np.float64)  # as NumPy takes it
    if cupy is None or not isinstance(x, cupy.ndarray):
        return np.interp(x, xp, fp, left, right, period)
    if not x.flags.c_contiguous:
        x = cupy.ascontiguousarray(x)
    return cupy.interp(x, xp, fp, left, right, period)


__all__ = ["interp"]
