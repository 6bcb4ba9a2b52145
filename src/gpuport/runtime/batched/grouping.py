"""Lists of arrays as stacks of one shape and dtype each, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gpuport.runtime.batched.sizes import sizes
from gpuport.runtime.failures import hand_out
from gpuport.runtime.fallback import loaded_cupy


def stacks(*sequences: Any) -> Iterator[tuple[Any, ...]]:
    """The items of some lists, gone through in step, in stacks of one shape and dtype each.

    Parameters
    ----------
    *sequences : list, tuple or cupy.ndarray
        Lists of arrays, of tuples of arrays, or arrays whose items these are. All must be as long
        as the first.

    Yields
    ------
    tuple
        Where the items of the stack stand in the lists, as something that an array may be indexed
        with; then a stack for each list (of tuples, one for each array in them).

    Notes
    -----
    A group that is larger than a quarter of the device's free memory comes in several stacks.
    """
    cupy = loaded_cupy()
    if len(sequences) and all(isinstance(one, cupy.ndarray) for one in sequences):
        hand_out(None, 0)
        yield (slice(None), *sequences)
        return
    rows = [_row(items) for items in zip(*sequences, strict=True)]
    for places in places_of(cupy, rows):
        columns = zip(*(rows[place] for place in places), strict=True)
        hand_out(places, len(rows))  # until something else is: whoever stops here may have failed
        yield (_index(places, len(rows)), *(together(cupy, column) for column in columns))


def places_of(
    cupy: Any, rows: Sequence[tuple[Any, ...]], streams: bool = False
) -> Iterator[list[int]]:
    """Where rows of arrays of one shape and dtype stand, in parts that the device has room for.

    Parameters
    ----------
    cupy : module
    rows : sequence of tuple of array
    streams : bool
        Whether several parts are on the device at a time, so that they have to be smaller.
    """
    groups: dict[Any, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(tuple((a.shape, a.dtype) for a in row), []).append(place)
    for group in groups.values():
        yield from _chunks(cupy, group, rows[group[0]], streams)


def together(cupy: Any, arrays: Sequence[Any]) -> Any:
    """A stack of some arrays of one shape and dtype.

    Where they are evenly spaced parts of one block of memory, as the items of an earlier stack
    are, it is a view of that; of the tiles of a grid it is one copy. Items that run backwards are
    copied: where they start is not where their memory does.
    """
    first = arrays[0]
    if len(arrays) == 1:
        return first[None]
    blocks = {(a.data.mem.ptr, a.data.mem.size) for a in arrays}
    forwards = all(step >= 0 for step in first.strides)
    if len(blocks) == 1 and forwards and all(a.strides == first.strides for a in arrays):
        grid = _grid([a.data.ptr for a in arrays])
        if grid is not None:
            counts, steps = zip(*grid, strict=True)
            shape, strides = (*counts, *first.shape), (*steps, *first.strides)
            found = cupy.ndarray(shape, first.dtype, first.data, strides)
            return found.reshape(len(arrays), *first.shape) if len(grid) > 1 else found
    return cupy.stack(arrays)


def _grid(addresses: list[int]) -> list[tuple[int, int]] | None:
    """How many rows and columns, and how far apart, where addresses run through a grid.

    Of one row only the columns are given; None where the addresses are no grid, or go backwards.
    """
    steps = [b - a for a, b in pairwise(addresses)]
    step = steps[0] if steps else 0
    if step <= 0:
        return None
    columns = next((k for k, one in enumerate(steps, 1) if one != step), len(addresses))
    rows = addresses[::columns]
    if len(addresses) == columns:
        return [(columns, step)]
    down = rows[1] - rows[0]
    even = down > 0 and len(addresses) == len(rows) * columns
    places = [rows[0] + r * down + c * step for r in range(len(rows)) for c in range(columns)]
    return [(len(rows), down), (columns, step)] if even and places == addresses else None


def _row(items: tuple[Any, ...]) -> tuple[Any, ...]:
    row: list[Any] = []
    for item in items:
        row.extend(item if isinstance(item, tuple) else (item,))
    return tuple(row)


def _chunks(
    cupy: Any, group: list[int], row: tuple[Any, ...], streams: bool
) -> Iterator[list[int]]:
    """Parts of a group that fit into the device's memory with what is computed from them.

    Nor has a part more elements than one call of a batched routine may be given.
    """
    size = max(sum(int(a.nbytes) for a in row), 1)
    elements = max(*(int(a.size) for a in row), 1)
    most = min(len(group), max(1, sizes().elements // elements))
    if size * most > _SMALL:
        free, _ = cupy.cuda.runtime.memGetInfo()
        most = max(1, min(most, free // (_SHARE * (3 if streams else 1)) // size))
    if streams:
        most = max(1, min(most, _PIECE // size))
    for start in range(0, len(group), most):
        yield group[start : start + most]


_SHARE = 4
"""Part of the free memory that items may take: the rest is for what is computed from them."""

_PIECE = 2**28
"""Bytes that cross at a time where others are computed meanwhile."""

_SMALL = 2**26
"""Bytes of a group below which nobody asks how much memory there is."""


def _index(places: list[int], length: int) -> Any:
    """Places as an index: a slice where they are evenly spaced, which costs no transfer."""
    if len(places) == length:
        return slice(None)
    step = places[1] - places[0] if len(places) > 1 else 1
    last = places[0] + step * (len(places) - 1)
    if places == list(range(places[0], last + 1, step)):
        return slice(places[0], last + 1, step)
    return places


def unstack(stacked: Iterable[tuple[Any, Any]]) -> list[Any]:
    """The items of some stacks, in the order that they had in the lists they came from.

    Parameters
    ----------
    stacked : iterable of (index, stack)
        Indices as :func:`stacks` gives them, each with an array whose first axis holds the items,
        or a tuple of such arrays.

    Returns
    -------
    list
        Views of the stacks, or tuples of views.
    """
    pairs = list(stacked)
    length = sum(len(one[0] if isinstance(one, tuple) else one) for _, one in pairs)
    found: list[Any] = [None] * length
    for index, one in pairs:
        places = range(*index.indices(length)) if isinstance(index, slice) else index
        for place, item in zip(places, items(one), strict=True):
            found[place] = item
    return found


def array(stacked: Iterable[tuple[Any, Any]]) -> Any:
    """The items of some stacks as one array in the order of the lists they came from.

    Parameters
    ----------
    stacked : iterable of (index, stack)
        As :func:`unstack` takes them, each stack an array.

    Returns
    -------
    cupy.ndarray or list
        A list of the items where their shapes or dtypes differ.
    """
    pairs = list(stacked)
    first = pairs[0][1] if pairs else None
    if first is None or any(
        isinstance(one, tuple) or one.shape[1:] != first.shape[1:] or one.dtype != first.dtype
        for _, one in pairs
    ):
        return unstack(pairs)
    if len(pairs) == 1:
        return first
    cupy = loaded_cupy()
    found = cupy.empty((sum(len(one) for _, one in pairs), *first.shape[1:]), dtype=first.dtype)
    for index, one in pairs:
        found[index] = one
    return found


def joined(given: Any) -> Any:
    """``numpy.stack`` of a list, of whose items stacked code may have made an array already.

    Parameters
    ----------
    given : cupy.ndarray or list
        An array is copied, as ``numpy.stack`` copies its items. One of no items never comes of
        stacked code: where there is nothing to stack, the list is empty. Arrays of NumPy's, which
        the loop made where it ran on the host, stay there.

    Raises
    ------
    ValueError
        As ``numpy.stack``: where there are no items, or their shapes differ.
    """
    cupy = loaded_cupy()
    if cupy is None or not isinstance(given, cupy.ndarray):
        listed = list(given)
        of_device = cupy is not None and any(isinstance(one, cupy.ndarray) for one in listed)
        return (cupy if of_device else np).stack(listed)
    return given.copy()


def items(stack: Any) -> Iterator[Any]:
    """The items of one stack, or what a function gave for a stack, item by item.

    Parameters
    ----------
    stack : cupy.ndarray or tuple of cupy.ndarray
        Each with the items along its first axis; a tuple as ``cupy.linalg.eigh`` gives it.

    Yields
    ------
    cupy.ndarray or tuple
        Views; of a named tuple of stacks, named tuples of the same type.
    """
    if not isinstance(stack, tuple):
        yield from stack
        return
    make = getattr(type(stack), "_make", tuple)
    for row in zip(*stack, strict=True):
        yield make(row)
