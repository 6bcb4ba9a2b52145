"""Arrays joined along an axis, and repeated."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import check_dtype
from gpuport.host.functions.arguments import typed
from gpuport.host.interchange import from_foreign
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.operands import store_cast
from gpuport.host.registry import implements
from gpuport.host.state import cupy_major


@implements("cupy.concatenate", "cupy.concat")
def concatenate(
    tup: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Join along an axis."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were")
    values = []
    flat = False
    for part in tup:
        if not isinstance(part, ndarray):
            raise TypeError(f"Unsupported type {type(part)}")
        values.append(part._a)
        flat = flat or not part._a.ndim
    if flat and axis is not None:
        raise TypeError("zero-dimensional arrays cannot be concatenated")
    dtype = out.dtype if out is not None else _supported(dtype)
    result = np.concatenate(values, axis, dtype=dtype, casting=casting)  # type: ignore[call-overload]
    counters.join(values, result.dtype)
    if out is None:
        return wrap(result if result.ndim == 1 else in_c_order(result))
    if out.shape != result.shape:
        raise ValueError("Output array is the wrong shape")
    out._a[...] = result
    return out


def _supported(dtype: Any) -> Any:
    return None if dtype is None else check_dtype(dtype)


def _onto_device(values: Any) -> list[Any]:
    """vstack and hstack move host arrays first (``atleast_nd`` calls ``array``)."""
    from gpuport.host.creation import array

    return [x if isinstance(x, ndarray) else array(x) for x in values]


def _stacked(name: str) -> Any:
    def stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
        parts = [part._a for part in _onto_device(tup)]
        result = getattr(np, name)(parts, dtype=_supported(dtype), casting=casting)
        counters.join(parts, result.dtype)
        return wrap(in_c_order(result))

    return stack


implements("cupy.vstack")(vstack := _stacked("vstack"))


@implements("cupy.row_stack")
def row_stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """`vstack` by its old name, which warns from CuPy 14 on."""
    if cupy_major() >= 14:
        message = "`row_stack` alias is deprecated. Use `cp.vstack` directly."
        warnings.warn(message, DeprecationWarning, stacklevel=1)
    return vstack(tup, dtype=dtype, casting=casting)


implements("cupy.hstack")(_stacked("hstack"))


@implements("cupy.dstack")
def dstack(tup: Any) -> Any:
    """Join along the third axis."""
    parts = [part._a for part in _onto_device(tup)]
    result = np.dstack(parts)
    counters.join(parts, result.dtype)
    return wrap(in_c_order(result))


@implements("cupy.stack")
def stack(
    tup: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Join along a new axis."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were")
    values = [typed(part, "a") for part in tup]
    result = in_c_order(np.stack(values, axis, dtype=_supported(dtype), casting=casting))  # type: ignore[call-overload]
    if out is not None and out.ndim != result.ndim:
        raise ValueError("Output array has wrong dimensionality")
    if out is not None and out.shape != result.shape:
        raise ValueError("Output array is the wrong shape")
    counters.join(values, result.dtype)
    return store_cast(result, out, casting)


@implements("cupy.repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Repeat elements; of CuPy 14 by counts of the device, which are added up and read back."""
    values = a._a if axis is not None else a._a.ravel()
    place = 0 if axis is None else normalize_axis_index(axis, values.ndim)
    counts = _counts(repeats)
    if counts.size == 1:
        number = int(counts.ravel()[0])
        if number < 0:
            raise ValueError(f"'repeats' should not be negative: {number}")
        KERNELS["cupy_repeat"] += 1
        return wrap(np.repeat(values, number, place))
    if counts.size != values.shape[place]:
        raise ValueError(
            "'repeats' and 'axis' of 'a' should be same length: "
            f"{values.shape[place]} != {counts.size}"
        )
    # source: _repeat_perelement: a minimum, a running sum of two kernels, both read back, then
    # arange, searchsorted and take; CuPy 13 copied piece by piece
    KERNELS["cupy_repeat"] += 6 if cupy_major() >= 14 else max(1, counts.size)
    if cupy_major() >= 14:
        counters.d2h(8)
        counters.d2h(8)
    if (counts < 0).any():
        raise ValueError("all elements of 'repeats' should not be negative")
    return wrap(np.repeat(values, counts, place))


def _counts(repeats: Any) -> Any:
    """Counts as an array without or with one axis."""
    found = from_foreign(repeats)
    if found is None and isinstance(repeats, np.ndarray) and cupy_major() >= 14:
        raise TypeError("'repeats' does not accept numpy.ndarray; convert with cupy.array() first")
    if found is not None:
        if cupy_major() < 14:
            raise ValueError("cupy.ndarray cannot be specified as `repeats` argument.")
        if not np.can_cast(found.dtype, np.intp, "safe"):
            raise TypeError(
                f"Cannot cast array data from dtype('{found.dtype}') to "
                f"dtype('{np.dtype(np.intp)}') according to the rule 'safe'"
            )
    elif not isinstance(repeats, Sequence):
        try:
            return np.asarray(operator.index(repeats))
        except TypeError:
            raise ValueError(f"'repeats' should be int or sequence: {repeats}") from None
    if found is None and cupy_major() >= 14:
        counters.h2d(8 * len(repeats))
    counts = np.asarray(repeats if found is None else found._a, np.intp)
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    if found is not None and counts.size == 1:
        counters.d2h(8)
    return counts
