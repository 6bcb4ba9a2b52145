"""Variances and standard deviations, in the types that CuPy computes them in.

Source: ``_var`` and ``_nanvar``, _routines_statistics.pyx; compared with CuPy 14.2.0 on a GPU,
whose records are in tests/host/recorded.
"""

from __future__ import annotations

import importlib
import operator
from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast
from gpuport.host.functions.arguments import typed
from gpuport.host.launches import launches
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.operands import operand
from gpuport.host.registry import implements
from gpuport.host.silence import quiet, restore

_FLOATING = frozenset("efd")


def _count(values: Any, axis: Any) -> int:
    """Elements that are reduced to one; the axes are looked up in the shape."""
    if axis is None:
        return int(values.size)
    found = 1
    for place in axis if isinstance(axis, tuple) else (axis,):
        found *= values.shape[place]
    return found


def _real(dtype: Any) -> Any:
    return np.zeros(0, dtype).real.dtype


def _squares(deviations: Any, axis: Any, keepdims: bool) -> Any:
    squared = deviations.real**2
    if deviations.dtype.kind == "c":
        squared = squared + deviations.imag**2
    return squared.sum(axis, keepdims=keepdims)


def _variance(values: Any, axis: Any, dtype: Any, ddof: Any, keepdims: bool) -> Any:
    """The mean is of the data's own type where a dtype is asked for, which truncates integers."""
    count = _count(values, axis)
    if dtype is None:
        made = np.dtype(np.float64) if values.dtype.kind in "biu" else _real(values.dtype)
    else:
        made = np.dtype(dtype) if np.dtype(dtype).char in _FLOATING else np.dtype(np.float64)
    wide = np.complex128 if values.dtype.kind == "c" else np.float64
    if count and dtype is None and count > ddof:
        result = np.var(values, axis, ddof=ddof, keepdims=keepdims)
    elif not count:
        result = np.full(np.sum(values, axis, keepdims=keepdims).shape, np.nan)
    else:
        mean = np.mean(values, axis, wide, keepdims=True)
        if dtype is not None:
            mean = cast(np.asarray(mean), values.dtype)
        below = max(count - ddof, 0)
        deviations = values.astype(wide) - mean
        result = _squares(deviations, axis, keepdims) * (1 / below if below else np.nan)
    return in_c_order(np.asarray(result).astype(made))


def _variance_without_nan(values: Any, axis: Any, dtype: Any, ddof: Any, keepdims: bool) -> Any:
    """Each square is divided by the number of elements, of which there may be none."""
    asked = None if dtype is None else np.dtype(dtype)
    missing = np.isnan(values)
    present = (~missing).sum(axis, keepdims=True)
    kind: Any = np.complex128 if values.dtype.kind == "c" else np.float64
    if asked is not None and asked.kind == "f" and asked.itemsize < 8:
        kind = np.float32
    whole = asked is not None and asked.kind in "biu"
    numbers = np.where(missing, 0, values)
    if whole:
        numbers, kind = cast(numbers, np.dtype(np.int64)), np.int64
    total = numbers.astype(kind).sum(axis, keepdims=True)
    mean = total // np.maximum(present, 1) if whole else total / present
    deviations = np.where(missing, 0, numbers.astype(kind) - mean)
    below = np.maximum(present - ddof, 0)
    squared = deviations.real**2 + (deviations.imag**2 if kind is np.complex128 else 0)
    shares = squared // np.maximum(below, 1) if whole else squared / below
    return in_c_order(np.asarray(shares.sum(axis, keepdims=keepdims)).astype(_real(values.dtype)))


def _computed(solver: Any, values: Any, *arguments: Any) -> Any:
    token = quiet()
    try:
        with np.errstate(all="ignore"):
            return solver(values, *arguments)
    finally:
        restore(token)


def _store(result: Any, out: Any) -> Any:
    if out is None:
        return wrap(result)
    target = operand(out)
    if target.shape != result.shape:
        raise ValueError("Out shape is mismatched")
    target[...] = cast(result, target.dtype)
    return out


def _without_axis(axis: Any, ndim: int) -> None:
    for place in axis if isinstance(axis, tuple) else () if axis is None else (axis,):
        if not -ndim <= operator.index(place) < ndim:
            raise np.exceptions.AxisError(operator.index(place), ndim)


def _check_sum(values: Any, dtype: Any) -> None:
    """What the sums of ``nanvar`` say to a dtype."""
    kind = None if dtype is None else np.dtype(dtype)
    if kind is None:
        return
    if values.dtype.kind == "c" and kind.kind != "c":
        raise TypeError(f"Wrong type ({kind.type}) of arguments for cupy_nansum_complex_dtype")
    if kind.kind not in "biufc":
        raise TypeError(f"Wrong type ({kind.type}) of arguments for cupy_nansum_with_dtype")
    if values.dtype.kind != "c" and kind.kind == "c":
        compiler: Any = importlib.import_module("gpuport.host.kernels.errors")
        raise compiler.CompileException.of_cupy('no operator "/" matches these operands')


@implements("cupy.var")
def var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """Variance."""
    values = typed(a, "a") if not isinstance(a, ndarray) else a._a
    result = _computed(_variance, values, axis, dtype, ddof, bool(keepdims))
    KERNELS["cupy.var"] += launches("cupy.var")
    return _store(result, out)


@implements("cupy.nanvar")
def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """Variance of the elements that are no NaN."""
    values = typed(a, "a")
    if values.dtype.kind in "biu":
        return var(a, axis, dtype, out, ddof, keepdims)
    _without_axis(axis, values.ndim)
    _check_sum(values, dtype)
    result = _computed(_variance_without_nan, values, axis, dtype, ddof, bool(keepdims))
    KERNELS["cupy.nanvar"] += launches("cupy.nanvar")
    return _store(result, out)


def _root(squared: Any, dtype: Any, out: Any) -> Any:
    """The root is a ufunc, which lays its result out over `out` and casts it as ufuncs do."""
    options = {} if dtype is None else {"dtype": dtype}
    return FUNCTIONS["sqrt"](squared, **options, **({} if out is None else {"out": out}))


@implements("cupy.std")
def std(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """Standard deviation."""
    return _root(var(a, axis, dtype, None, ddof, keepdims), dtype, out)


@implements("cupy.nanstd")
def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """Standard deviation of the elements that are no NaN."""
    return _root(nanvar(a, axis, dtype, None, ddof, keepdims), dtype, out)
