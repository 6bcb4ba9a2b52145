"""Filters of pictures as CuPy's kernels compute them, where SciPy's results are others.

A sum of products is made in the order of the weights and in their type, float32 beside integers of
at most 16 bits and float32, and is converted to the type of the result after each axis. Source:
``_filters.py``, ``_filters_core.py`` and ``_interp_kernels.py`` of cupyx.scipy.ndimage, 14.2.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host.dtypes import cast
from gpuport.host.ndarray import ndarray, wrap

Given = dict[str, Any]
Computed = Callable[[Given], Any]


def _plan(function: str) -> Callable[[Computed, Given], Any]:
    """How a filter is computed that adds up products."""
    passes = _PASSES[function]

    def compute(computed: Computed, given: Given) -> Any:
        source = given["input"]
        if not isinstance(source, ndarray) or source.dtype.kind == "c":
            return computed(given)
        values, weights = source._a.copy(), given.get("weights")
        made = computed(given)
        exact = source.dtype == np.float64 or getattr(weights, "dtype", None) in _COMPLEX
        if not isinstance(made, ndarray) or exact or not made.size:
            return made
        for each in passes(given, values.ndim):
            values = _pass(values, each, given["cval"], made.dtype)
        made._a[...] = values
        return made

    return compute


_COMPLEX = (np.dtype(np.complex64), np.dtype(np.complex128))


def _each(value: Any, count: int) -> list[Any]:
    """One of several, or the same for all."""
    alone = isinstance(value, str) or not hasattr(value, "__iter__")
    return [value] * count if alone else list(value)


def _axes(given: Given, ndim: int) -> list[int]:
    axes = given.get("axes")
    return list(range(ndim)) if axes is None else [axis % ndim for axis in _each(axes, 1)]


def _of_weights(given: Given, ndim: int, *, flipped: bool) -> list[Any]:
    """One pass over all axes of the weights, or over the axis that is named."""
    weights = np.asarray(given["weights"]._a)
    axes = [given["axis"] % ndim] if "axis" in given else _axes(given, ndim)
    origins, modes = _each(given["origin"], len(axes)), _each(given["mode"], len(axes))
    if flipped:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        lengths = weights.shape
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, lengths, strict=True)]
    return [(axes, weights, modes, origins)]


def _uniform(given: Given, ndim: int) -> list[Any]:
    axes = [given["axis"] % ndim] if "axis" in given else _axes(given, ndim)
    parts = (_each(given[name], len(axes)) for name in ("size", "mode", "origin"))
    return [
        ([axis], np.full(size, 1 / size), [mode], [origin])
        for axis, size, mode, origin in zip(axes, *parts, strict=True)
        if size > 1 or "axis" in given
    ]


def _gaussian(given: Given, ndim: int) -> list[Any]:
    axes = [given["axis"] % ndim] if "axis" in given else _axes(given, ndim)
    parts = (_each(given.get(n), len(axes)) for n in ("sigma", "order", "radius", "mode"))
    found = []
    for axis, sigma, order, radius, mode in zip(axes, *parts, strict=True):
        if radius is None:
            radius = int(float(given["truncate"]) * float(sigma) + 0.5)
        if sigma > 1e-15 and (radius > 0 or "axis" in given):
            found.append(([axis], _kernel(float(sigma), order, radius), [mode], [0]))
    return found


def _kernel(sigma: float, order: int, radius: int) -> Any:
    """A Gaussian, or one of its derivatives, turned round."""
    x = np.arange(-radius, radius + 1)
    phi = np.exp(-0.5 / (sigma * sigma) * x**2)
    phi /= phi.sum()
    if order == 0:
        return phi
    powers = np.arange(order + 1)
    factors = np.zeros(order + 1)
    factors[0] = 1
    step = np.diag(powers[1:], 1) + np.diag(np.ones(order) / -(sigma * sigma), -1)
    for _ in range(order):
        factors = step.dot(factors)
    return ((x[:, None] ** powers).dot(factors) * phi)[::-1]


def _pass(values: Any, each: Any, cval: float, dtype: np.dtype[Any]) -> Any:
    """What one kernel gives."""
    axes, weights, modes, origins = each
    whole = weights.dtype.kind in "iub"
    type_ = np.dtype(np.float64) if whole else np.promote_types(values.dtype, np.float32)
    weights = weights.astype(type_)
    lengths = {axis: weights.shape[k] for k, axis in enumerate(axes)}
    places = [
        _places(values.shape[axis], lengths[axis], modes[axes.index(axis)],
                origins[axes.index(axis)])
        if axis in lengths else np.arange(values.shape[axis])[None]
        for axis in range(values.ndim)
    ]  # fmt: skip
    total = np.zeros(values.shape, type_)
    for at in itertools.product(*(range(len(rows)) for rows in places)):
        weight = weights[tuple(at[axis] for axis in axes)]
        if weight == 0:
            continue
        rows = [one[k] for one, k in zip(places, at, strict=True)]
        missing = np.meshgrid(*(row < 0 for row in rows), indexing="ij", sparse=True)
        outside = functools.reduce(np.logical_or, missing)
        taken = values[np.ix_(*rows)].astype(type_)
        total += np.where(outside, type_.type(cval), taken) * weight
    return _converted(total, dtype)


def _places(length: int, width: int, mode: str, origin: int) -> Any:
    """By the place of a weight: which element it meets for each result; -1 where there is none."""
    found = np.arange(length) - (width // 2 + origin) + np.arange(width)[:, None]
    if mode in ("constant", "grid-constant"):
        return np.where((found < 0) | (found >= length), -1, found)
    if mode == "nearest":
        return found.clip(0, length - 1)
    if mode in ("wrap", "grid-wrap"):
        return found % length
    if mode == "mirror":
        period = max(2 * (length - 1), 1)
        found = found % period
        return np.minimum(found, period - found) if length > 1 else found * 0
    found = found % (2 * length)
    return np.minimum(found, 2 * length - 1 - found)


def _converted(total: Any, dtype: np.dtype[Any]) -> Any:
    """Negative numbers are cut off as positive ones are, for unsigned types too."""
    if dtype.kind != "u":
        return cast(total, dtype)
    low = cast(np.where(total < 0, -total, 0), dtype)
    return np.where(
        total < 0, np.zeros((), dtype) - low, cast(np.where(total < 0, 0, total), dtype)
    )


def _rounded(computed: Computed, given: Given) -> Any:
    """Splines of integers are rounded to the nearest one, halves to the even one."""
    output, source = given["output"], given["input"]
    asked = source if output is None else output
    dtype = asked.dtype if isinstance(asked, ndarray) else np.dtype(asked)
    if dtype.kind not in "iu" or source.dtype.kind == "c":
        return computed(given)
    made = computed({**given, "output": np.float64})
    values = cast(np.rint(made._a), dtype)
    if isinstance(output, ndarray):
        output._a[...] = values
        return output
    return wrap(values)


_PASSES: dict[str, Callable[[Given, int], list[Any]]] = {
    "correlate": lambda given, ndim: _of_weights(given, ndim, flipped=False),
    "correlate1d": lambda given, ndim: _of_weights(given, ndim, flipped=False),
    "convolve": lambda given, ndim: _of_weights(given, ndim, flipped=True),
    "convolve1d": lambda given, ndim: _of_weights(given, ndim, flipped=True),
    "uniform_filter": _uniform,
    "uniform_filter1d": _uniform,
    "gaussian_filter": _gaussian,
    "gaussian_filter1d": _gaussian,
}

FILTERS: dict[str, Callable[[Computed, Given], Any]] = {
    **{f"cupyx.scipy.ndimage.{name}": _plan(name) for name in _PASSES},
    **{
        f"cupyx.scipy.ndimage.{name}": _rounded
        for name in ("zoom", "shift", "rotate", "map_coordinates", "affine_transform")
    },
}
"""By function: how it is computed."""
