"""Parts of one array around places of their own, as a stack."""

from __future__ import annotations

import math
from typing import Any

from gpuport.runtime.fallback import loaded_cupy

Bounds = tuple[Any, Any] | None
"""Where the parts begin and end along an axis: arrays with a number for each part, or numbers."""


def windows(array: Any, *bounds: Bounds) -> Any:
    """``array[first:last, ...]`` for many places at once.

    Parameters
    ----------
    array : cupy.ndarray
    *bounds : (begin, end) or None
        For each axis where the parts begin and end: ``cupy.ndarray`` of whole numbers, shape (n,),
        or one number for all parts. None, and axes behind the last, are taken whole.

    Returns
    -------
    cupy.ndarray, shape (n, ...)
        Copies of the parts.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where parts are of several shapes, empty, or reach over an end of the array, where a slice
        would be shorter or count from the other end: the loop over the items is to run.
    TypeError
        Where a place is no whole number, as for a slice.
    """
    cupy = loaded_cupy()
    pairs = {
        axis: tuple(_whole(cupy, one) for one in pair) for axis, pair in enumerate(bounds) if pair
    }
    lengths = _lengths(cupy, array.shape, pairs)
    count = max(one.size for pair in pairs.values() for one in pair)
    axes = range(max(pairs) + 1)
    index = []
    for axis in axes:
        steps = cupy.arange(lengths.get(axis, array.shape[axis]))
        steps = steps.reshape(1, *(-1 if one == axis else 1 for one in axes))
        begin = pairs[axis][0].reshape(-1, *(1 for _ in axes)) if axis in pairs else 0
        index.append(begin + steps)
    found = array[tuple(index)]
    return found if len(found) == count else cupy.repeat(found, count, axis=0)


def _lengths(
    cupy: Any, shape: tuple[int, ...], pairs: dict[int, tuple[Any, ...]]
) -> dict[int, int]:
    """How long the parts are along each axis; one transfer answers for all of them."""
    asked = []
    for begin, end in pairs.values():
        length = end - begin
        asked += [begin.min(), end.max(), length.min(), length.max()]
    answers = cupy.stack(asked).get().reshape(-1, 4).tolist()
    for axis, (first, last, least, most) in zip(pairs, answers, strict=True):
        if first < 0 or last > shape[axis] or least < 1 or least != most:
            raise cupy.linalg.LinAlgError("parts of several shapes, or over the border")
    return {axis: most for axis, (*_, most) in zip(pairs, answers, strict=True)}


def _whole(cupy: Any, value: Any) -> Any:
    """Places as an array of 64 bits with one axis."""
    array = cupy.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return array.astype("q").reshape(-1)


def integers(values: Any) -> Any:
    """``int`` of each number of a stack, as places.

    Parameters
    ----------
    values : cupy.ndarray, shape (n,)

    Returns
    -------
    cupy.ndarray of int, shape (n,)

    Raises
    ------
    numpy.linalg.LinAlgError
        Where one is complex, NaN, or as large as a double holds no single whole numbers: the loop
        over the items is to run, and finds what Python makes of it.
    """
    cupy = loaded_cupy()
    kind = values.dtype.kind
    if kind in "iu":
        return values
    if kind == "f" and bool((abs(values) < _LARGEST).all()):
        return values.astype("q")
    if kind == "b":
        return values.astype("q")
    raise cupy.linalg.LinAlgError("not all are whole numbers of 53 bits")


_LARGEST = 2.0**53


def flat(stack: Any) -> Any:
    """``ravel`` of each item of a stack.

    Parameters
    ----------
    stack : cupy.ndarray, shape (n, ...)

    Returns
    -------
    cupy.ndarray, shape (n, size)
    """
    return stack.reshape(len(stack), math.prod(stack.shape[1:]))


__all__ = ["flat", "integers", "windows"]
