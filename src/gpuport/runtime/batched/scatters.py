"""What a loop adds at places that each item names: ``matrix[np.ix_(dofs, dofs)] += element``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy
from gpuport.runtime.places import change, in_range, names_twice

_ADDED_AT_ONCE = frozenset({"int32", "int64", "uint32", "uint64", "float32", "float64"})
"""Dtypes for which CuPy's ``add.at`` is one atomic addition."""


def add_at(
    target: Any, places: Any, values: Any, *, outer: bool = False, subtract: bool = False
) -> None:
    """Add what each item adds to an array, at places of the item's own.

    Where an item names a place twice, NumPy adds to it once; where several items name it, each
    of them adds to it.

    Parameters
    ----------
    target : cupy.ndarray, shape (k1, ..., km, ...)
        Changed in place.
    places : array or int, or a tuple of m of these
        One index for each of the first axes. Arrays have the items along their first axis (of
        length 1 where the index is the same for all items); what is behind it is broadcast as
        NumPy broadcasts the indices of one item.
    values : array or number
        What is added; arrays likewise.
    outer : bool
        Whether the indices of an item are vectors that are meant as by ``numpy.ix_``.
    subtract : bool
        Whether the values are taken away.

    Raises
    ------
    IndexError
        Where an index is out of range or no whole number, as NumPy does. Where it is out of
        range, nothing has been added.

    Notes
    -----
    All items add at once, floating-point sums in any order. Items follow one another, as in the
    loop, where the values are of a higher precision than `target`, for dtypes that CuPy's
    ``add.at`` does not take, and for masks; on the host, where one of them names a place twice,
    of which CuPy keeps any sum and NumPy the last.
    """
    cupy = loaded_cupy()
    indices = [cupy.asarray(one) for one in (places if isinstance(places, tuple) else (places,))]
    items = max(len(index) for index in indices if index.ndim)
    if not isinstance(values, (bool, int, float, complex)):
        values = cupy.asarray(values)
    whole = all(index.dtype.kind in "iu" for index in indices)
    if not whole or len(indices) > target.ndim:
        _one_by_one(target, indices, values, items, subtract, cupy.ix_ if outer else None)
        return
    inner = len(indices) if outer else max(index.ndim for index in indices) - 1
    if outer:
        indices = [i.reshape(*i.shape, *[1] * (inner - 1 - k)) for k, i in enumerate(indices)]
    found = in_range(cupy, [_with_axes(index, inner) for index in indices], target.shape)
    if hasattr(values, "ndim"):
        values = _with_axes(values, inner + target.ndim - len(indices))
    if names_twice(cupy, found, target.shape, each=True):
        summed, given = cupy.asnumpy(target), [cupy.asnumpy(index) for index in found]
        on_host = cupy.asnumpy(values) if hasattr(values, "ndim") else values
        _one_by_one(summed, given, on_host, items, subtract)
        target[...] = cupy.asarray(summed)
    elif _fits(target, values):
        given = cupy.asarray(values).astype(target.dtype)  # wraps for unsigned ones, as `-` does
        cupy.add.at(target, tuple(found), -given if subtract else given)
    else:
        _one_by_one(target, found, values, items, subtract)


def _one_by_one(
    target: Any,
    indices: Sequence[Any],
    values: Any,
    items: int,
    subtract: bool,
    joined: Any = None,
) -> None:
    """What the loop does."""
    for item in range(items):
        where = tuple(_item(index, item) for index in indices)
        change(target, joined(*where) if joined else where, _item(values, item), subtract)


def _item(stack: Any, item: int) -> Any:
    """An item of a stack; of a number, and of a stack of one, what is the same for all items."""
    if not getattr(stack, "ndim", 0):
        return stack
    return stack[item if len(stack) > 1 else 0]


def _with_axes(stack: Any, inner: int) -> Any:
    """A stack whose items have this many axes, new ones in front of their own."""
    if not stack.ndim:
        return stack
    return stack.reshape(len(stack), *[1] * (inner + 1 - stack.ndim), *stack.shape[1:])


def _fits(target: Any, values: Any) -> bool:
    """Whether the sums are of the dtype that they are kept in, and may be added in any order."""
    same: bool = np.result_type(target.dtype, getattr(values, "dtype", values)) == target.dtype
    return same and target.dtype.name in _ADDED_AT_ONCE


__all__ = ["add_at"]
