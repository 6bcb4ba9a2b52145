"""In which order CuPy lays out the results that it makes, where NumPy chooses another.

Recorded on CuPy 14.2.0's own front end. Almost everything is in C order, whatever the operands are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BY_CUB = frozenset({"sum", "prod", "max", "amax", "min", "amin", "mean"})
"""Reductions that are handed to CUB where the memory is one piece."""


def in_c_order(values: Any) -> Any:
    """The same values in C order; the array itself where it is."""
    return np.asarray(values, order="C")


def in_fortran_order(values: Any) -> Any:
    """The same values in Fortran order, if there are two axes; else in C order."""
    return np.asarray(values, order="F" if values.ndim == 2 else "C")


def in_a_block(values: Any, rows: int, columns: int, fortran: bool) -> Any:
    """The same matrices, each at the front of a block of `rows` by `columns`.

    Solvers leave their results in the memory that they were given, which may be larger.
    """
    stack, (height, width) = values.shape[:-2], values.shape[-2:]
    rows, columns = max(rows, height), max(columns, width)
    if not fortran and (rows, columns) == (height, width):
        return in_c_order(values)
    block = (columns, rows) if fortran else (rows, columns)
    blocks: Any = np.empty((*stack, *block), values.dtype)
    part = (blocks.swapaxes(-1, -2) if fortran else blocks)[..., :height, :width]
    part[...] = values
    return part


def with_axis_last(values: Any, axis: int) -> Any:
    """The same values, `axis` the one that runs through neighbouring elements."""
    return np.moveaxis(in_c_order(np.moveaxis(values, axis, -1)), -1, axis)


def with_axis_swapped_to_last(values: Any, axis: int) -> Any:
    """The same values in C order once `axis` has changed places with the last one."""
    return in_c_order(np.swapaxes(values, axis, -1)).swapaxes(axis, -1)


def scanned(values: Any, axis: int | None) -> Any:
    """Layout of a running sum along `axis`.

    Source: ``_proc_as_batch``, _routines_math.pyx: the rows are views where the array's shape
    allows it, else copies with `axis` last.
    """
    array = in_c_order(values)
    if axis is None or array.size == 0 or array.ndim == 0:
        return array
    rows = np.moveaxis(array, axis, -1)
    batch = rows.reshape(-1, array.shape[axis])
    return np.moveaxis(batch.reshape(rows.shape), -1, axis)


def reduced(result: Any, values: Any, axis: Any) -> Any:
    """Layout of a sum of `values` over an axis, or several.

    CUB sums blocks of neighbours: the first axes of an array in Fortran's order, whose results then
    lie in that order too. Seen on a GPU; source: ``_get_permuted_args`` of _cub_reduction.pyx.
    """
    places = () if axis is None else axis if isinstance(axis, tuple) else (axis,)
    columns = values.flags.f_contiguous and not values.flags.c_contiguous
    if not columns or not places or not 2 <= result.ndim < values.ndim:
        return in_c_order(result)
    if sorted(place % values.ndim for place in places) == list(range(len(places))):
        return np.asfortranarray(result)
    return in_c_order(result)
