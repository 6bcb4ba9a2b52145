"""Parts of one array around places of their own, as a stack."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

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
    given = [[_whole(cupy, one) for one in pair] if pair else None for pair in bounds]
    pairs = [(axis, *pair) for axis, pair in enumerate(given) if pair]
    lowest = [low.min() for _, low, _ in pairs]
    highest = [high.max() for _, _, high in pairs]
    lengths = [high - low for _, low, high in pairs]
    asked = cupy.stack(
        [*lowest, *highest, *(one.min() for one in lengths), *(one.max() for one in lengths)]
    )
    answers = asked.get().reshape(4, -1)  # one transfer for all the questions
    sizes = np.array([array.shape[axis] for axis, _, _ in pairs])
    least, most, short, long = answers
    if (least < 0).any() or (most > sizes).any() or (short < 1).any() or (short != long).any():
        raise cupy.linalg.LinAlgError("the parts are of several shapes, or reach over the border")
    count = max(low.size for _, low, _ in pairs)
    last = pairs[-1][0]
    index = []
    for axis in range(last + 1):
        pair = given[axis]
        length = int(short[[a for a, _, _ in pairs].index(axis)]) if pair else array.shape[axis]
        steps = cupy.arange(length).reshape(1, *(-1 if k == axis else 1 for k in range(last + 1)))
        begin = pair[0].reshape(-1, *[1] * (last + 1)) if pair else 0
        index.append(begin + steps)
    found = array[tuple(index)]
    return found if len(found) == count else cupy.repeat(found, count, axis=0)


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
