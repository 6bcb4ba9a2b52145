"""Places, counts and membership of values."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.finishing import store
from gpuport.host.functions.arguments import typed
from gpuport.host.launches import launches
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.refusals import CONDITIONS, no_axis
from gpuport.host.registry import implements


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    axes = axis if isinstance(axis, tuple) else (axis,)
    for place in axes:
        if not -ndim <= operator.index(place) < ndim:
            raise np.exceptions.AxisError(place, ndim)
    return tuple(operator.index(place) % ndim for place in axes)


def _joined(values: Any, axis: Any) -> tuple[Any, int | None]:
    """The array with the axes of a tuple joined into one at its end, and the axis to look along."""
    if axis is None:
        return values, None
    axes = _axes(axis, values.ndim)
    if len(axes) == 1:
        return values, axes[0]
    kept = [place for place in range(values.ndim) if place not in axes]
    around = tuple(values.shape[place] for place in kept)
    length = int(np.prod([values.shape[place] for place in axes], dtype=np.int64))
    return values.transpose(*kept, *axes).reshape(*around, length), len(around)


def _kept(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    reduced = range(len(shape)) if axis is None else _axes(axis, len(shape))
    return tuple(1 if place in reduced else length for place, length in enumerate(shape))


check_comparable = CONDITIONS["cupy.isin"]


# The types of results that cupy_argmin and cupy_argmax have loops for.
# Source: ``_argmin`` and ``_argmax``, cupy/_core/_routines_statistics.pyx, CuPy 14.2.
_PLACES_AS = "qlihb"


def _positions(name: str) -> Any:
    of_array = getattr(np.ndarray, name)

    def position(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        if not isinstance(a, ndarray):
            return getattr(a, name)(axis, out, keepdims)
        no_axis({"a": a, "axis": axis})
        values, place = _joined(a._a, axis)
        if values.size == 0 and (place is None or values.shape[place] == 0):
            raise ValueError(
                f"zero-size array to reduction operation cupy_{name} which has no identity"
            )
        if dtype is not None and np.dtype(dtype).char not in _PLACES_AS:
            raise TypeError(f"Wrong type ({np.dtype(dtype).type}) of arguments for cupy_{name}")
        KERNELS["cupy_" + name] += 1
        result = of_array(values, place)
        if keepdims:
            result = np.asarray(result).reshape(_kept(a.shape, axis))
        # the kernel's type is long long, which NumPy prints apart from int64
        result = np.asarray(result).astype(dtype or np.dtype("q"))
        if out is None:
            return wrap(result)
        if out.ndim != result.ndim:
            raise ValueError(
                "output parameter for reduction operation has the wrong number of dimensions"
            )
        if out.shape != result.shape:
            raise ValueError("Out shape is mismatched")
        out._a[...] = result
        return out

    return position


def _positions_without_nan(name: str, least: float) -> Any:
    """NaN loses to everything; where there is nothing else the place is -1."""

    def position(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        values = typed(a, "a")
        if values.dtype.kind in "biu":
            return FUNCTIONS[f"arg{name}"](a, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
        no_axis({"a": a, "axis": axis})
        joined, place = _joined(values, axis)
        if dtype is not None:
            raise TypeError(
                f"Wrong type ({np.dtype(dtype).type}) of arguments for cupy_nanarg{name}"
            )
        if joined.size == 0 and (place is None or joined.shape[place] == 0):
            raise ValueError(
                f"zero-size array to reduction operation cupy_nanarg{name} which has no identity"
            )
        KERNELS[f"cupy.nanarg{name}"] += launches(f"cupy.nanarg{name}")
        missing = np.isnan(joined)
        lost = np.where(missing, joined.dtype.type(least), joined)
        found = getattr(lost, f"arg{name}")(place)
        first = np.asarray((~missing).argmax(place))
        same = np.take_along_axis(
            missing.reshape(-1) if place is None else missing,
            np.expand_dims(found, place or 0),
            place or 0,
        )
        found = np.where(same.reshape(np.shape(found)), first, found)  # infinities beside NaN
        found = np.where(missing.all(place), -1, found).astype(np.dtype("q"))
        if keepdims:
            found = found.reshape(_kept(a.shape, axis))
        return wrap(found) if out is None else store(wrap(found), out)

    return position


implements("cupy.nanargmax")(_positions_without_nan("max", -np.inf))


implements("cupy.nanargmin")(_positions_without_nan("min", np.inf))


implements("cupy.argmax")(_positions("argmax"))


implements("cupy.argmin")(_positions("argmin"))


@implements("cupy.nonzero")
def nonzero(a: Any) -> Any:
    """Indices of elements that are not zero."""
    if isinstance(a, ndarray) and a.ndim == 0:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. "
            "Use cp.atleast_1d(scalar).nonzero() instead."
        )
    KERNELS["cupy_nonzero"] += 3
    counters.sync()
    return tuple(wrap(part) for part in np.nonzero(typed(a, "a")))


@implements("cupy.bincount")
def bincount(x: Any, weights: Any = None, minlength: Any = None) -> Any:
    """Number of occurrences."""
    values = x._a
    if values.ndim > 1:
        raise ValueError("object too deep for desired array")
    if values.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    if values.dtype.kind == "f":
        raise TypeError("x must be int array")
    counters.sync()
    if values.size and values.min() < 0:
        raise ValueError("The first argument of bincount must be non-negative")
    counters.sync()
    KERNELS["cupy_bincount"] += 4
    heavy = None if weights is None else weights._a
    return wrap(np.bincount(values, heavy, minlength or 0))


def _membership(flat: bool) -> Any:
    def isin(
        element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False
    ) -> Any:
        left = element.ravel()._a if flat else element._a
        check_comparable({"element": element, "test_elements": test_elements})
        KERNELS["cupy_isin"] += 2
        return wrap(np.isin(left, test_elements.ravel()._a, invert=invert))

    return isin


implements("cupy.isin")(_membership(False))


implements("cupy.in1d")(_membership(True))
