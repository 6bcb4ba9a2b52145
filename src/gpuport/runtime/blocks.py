"""`numpy.block` on the device: CuPy has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def block(arrays: Any) -> Any:
    """``numpy.block``, on the device where any array of it is there.

    Parameters
    ----------
    arrays : nested list of cupy.ndarray, numpy.ndarray and numbers
        The innermost lists are put together along the last axis, those around them along the one
        before it, and so on.

    Returns
    -------
    cupy.ndarray or numpy.ndarray
        Of the dtype that all of them together have.

    Raises
    ------
    TypeError, ValueError
        As `numpy.block` raises them: for tuples, empty lists, lists of unequal depths, and arrays
        that do not fit.
    """
    cupy = loaded_cupy()
    leaves = list(_leaves(arrays))
    if cupy is None or not any(isinstance(one, cupy.ndarray) for one in leaves):
        return np.block(arrays)
    depth = _depth(arrays)
    nothing = np.empty((0,) * depth)  # fits whatever is beside: the lists alone may be wrong
    np.block(_each(arrays, lambda one: one if isinstance(one, tuple) else nothing))
    parts = [cupy.asarray(one) for one in leaves]
    few = depth * sum(one.size for one in parts) <= _FEW
    dtype = _joint(arrays) if few else np.result_type(*(one.dtype for one in parts))
    dimensions = max(depth, *(one.ndim for one in parts))

    def joined(one: Any, left: int) -> Any:
        if left:
            return cupy.concatenate([joined(item, left - 1) for item in one], axis=-left)
        part = cupy.asarray(one).astype(dtype, copy=not depth)
        return part.reshape((1,) * (dimensions - part.ndim) + part.shape)

    found = joined(arrays, depth)
    columns = all(one.flags.f_contiguous for one in parts)
    rows = all(one.flags.c_contiguous for one in parts)
    return cupy.asfortranarray(found) if columns and not rows else found


_FEW = 2 * 512 * 512
"""Up to here NumPy puts one row after the other together, of which each has a dtype of its own."""


def _joint(arrays: Any) -> Any:
    """The dtype of a list: that of what stands in it, each put together before."""
    if isinstance(arrays, list):
        return np.result_type(*map(_joint, arrays))
    return arrays.dtype if hasattr(arrays, "dtype") else np.asarray(arrays).dtype


def _leaves(arrays: Any) -> Iterator[Any]:
    """What stands in nested lists."""
    if isinstance(arrays, list):
        for one in arrays:
            yield from _leaves(one)
    else:
        yield arrays


def _each(arrays: Any, change: Callable[[Any], Any]) -> Any:
    """Nested lists with something else in the place of each thing."""
    if isinstance(arrays, list):
        return [_each(one, change) for one in arrays]
    return change(arrays)


def _depth(arrays: Any) -> int:
    """How many lists stand in each other."""
    return 1 + max(map(_depth, arrays), default=0) if isinstance(arrays, list) else 0


__all__ = ["block"]
