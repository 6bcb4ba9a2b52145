"""Interpolation between samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.functions.arguments import typed
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements


@implements("cupy.interp")
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """Linear interpolation; the kernel reads `x` as one contiguous piece."""
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("xp and fp must be 1D arrays")
    if xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length")
    if xp.size == 0:
        raise ValueError("array of sample points is empty")
    places, knots, values = typed(x, "x"), typed(xp, "xp"), typed(fp, "fp")
    if not places.flags.c_contiguous:
        raise NotImplementedError("Non-C-contiguous x is currently not supported")
    common = np.common_type(places, knots)
    if not np.can_cast(common, np.float64):
        raise TypeError(
            f"Cannot cast array data from {common} to {np.float64} according to the rule 'safe'"
        )
    if period is not None and period == 0:
        raise ValueError("period must be a non-zero value")
    # searchsorted and the kernel; with a period the samples are wrapped, sorted and extended
    KERNELS["cupy_interp"] += 2 if period is None else 13
    ends = [end._a[()] if isinstance(end, ndarray) else end for end in (left, right)]
    numpy_interp: Any = np.interp
    with np.errstate(all="ignore"):
        return wrap(np.asarray(numpy_interp(places, knots, values, *ends, period)))
