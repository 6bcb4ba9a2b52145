"""From what stands between the brackets to where it points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.containers import is_listed
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.regions import Places, Region, Window
from gpuport.runtime.items.signals import refuse
from gpuport.runtime.places import in_range

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def region(trace: Trace, shape: Sequence[int], index: Any, *, stacked: bool) -> Region:
    """Where an index points.

    Parameters
    ----------
    trace : Trace
    shape : sequence of int
        Of the array, or of one item of it where it is a stack.
    index : object
        What stands between the brackets, in the words of one item.
    stacked : bool

    Raises
    ------
    IndexError
        As NumPy.
    Unbatched
        Where the parts of the items have no common form.
    """
    entries = _entries(trace, shape, index)
    return _Builder(trace, shape, entries, stacked).build()


def places_of(trace: Trace, shape: Sequence[int], index: Any) -> Region:
    """Where an index points, each element named by whole numbers where no slice of all items does.

    Parameters
    ----------
    trace : Trace
    shape : sequence of int
    index : object
        What stands between the brackets; it differs from item to item.
    """
    return _Builder(trace, shape, _entries(trace, shape, index), False).named()


def _entries(trace: Trace, shape: Sequence[int], index: Any) -> list[tuple[Any, int]]:
    """The entries between the brackets with their axes (-1 of a new one), all axes named."""
    given = list(index) if isinstance(index, tuple) else [index]
    spelt: list[Any] = []
    for one in given:
        spelt += _spelt(trace, one)
    named = sum(one is not None and one is not Ellipsis for one in spelt)
    if named > len(shape):
        raise IndexError("too many indices for array")
    if not any(one is Ellipsis for one in spelt):
        spelt.append(Ellipsis)
    found: list[tuple[Any, int]] = []
    axis = 0
    for one in spelt:
        if one is Ellipsis:
            found += [(slice(None), axis + k) for k in range(len(shape) - named)]
            axis += len(shape) - named
        elif one is None:
            found.append((None, -1))
        else:
            found.append((_entry(trace, one, shape[axis], axis), axis))
            axis += 1
    return found


def _spelt(trace: Trace, one: Any) -> list[Any]:
    """An entry; a mask as the places where it is true, where it is so at as many for all items."""
    if isinstance(one, np.ndarray) or is_listed(one):
        one = trace.array_of(one)
    if not isinstance(one, Operand) or one.dtype.kind != "b":
        return [one]
    if not one.ndim:
        refuse("a truth value as an index")
    if is_stack(one):
        parts = picked(trace, one)
    else:
        parts = [Item(trace, part, stacked=False) for part in trace.data_of(one).nonzero()]
    return [_Picked(part, size) for part, size in zip(parts, one.shape, strict=True)]


def picked(trace: Trace, mask: Operand) -> list[Item]:
    """Where a mask of each item's own is true, along its axes."""
    known = getattr(mask, "known", None)
    data = trace.data_of(mask) if known is None else known
    axes = tuple(range(1, data.ndim))
    counts = data.sum(axis=axes)
    count = int(trace.uniform(counts if known is not None else trace.cupy.asnumpy(counts)))
    places = (one.reshape(len(data), count) for one in data.nonzero()[1:])
    return [Item(trace, **{"data" if known is None else "known": one}) for one in places]


@dataclass(frozen=True, slots=True)
class _Picked:
    """The places of a mask along one axis, which has to be as long as the mask's."""

    places: Item
    size: int


def _entry(trace: Trace, one: Any, size: int, axis: int) -> Any:
    """An int, a slice of ints, a `Window` or `Places`."""
    if isinstance(one, slice):
        return _slice(trace, one, size)
    if isinstance(one, _Picked):
        if one.size != size:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis}; size of axis is "
                f"{size} but size of corresponding boolean axis is {one.size}"
            )
        one = one.places
    if isinstance(one, Operand):
        return _places(trace, one, size, axis)
    if isinstance(one, (bool, np.bool_)):
        refuse("a truth value as an index")
    place = one.__index__()
    if not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    return place % size


def _slice(trace: Trace, one: slice, size: int) -> Any:
    ends = [one.start, one.stop]
    if not any(isinstance(end, Operand) for end in (*ends, one.step)):
        return one
    step = None if one.step is None else one.step.__index__()
    if step not in (None, 1):
        first, last = (None if end is None else end.__index__() for end in ends)
        return slice(first, last, step)
    begin = _clipped(trace, ends[0], 0, size)
    end = _clipped(trace, ends[1], size, size)
    width = int(trace.uniform(np.maximum(end - begin, 0)))
    return Window(begin if width else np.zeros_like(begin), width)


def _clipped(trace: Trace, end: Any, default: int, size: int) -> Any:
    """An end of a slice as Python takes it: from the back, and within the axis."""
    if end is None:
        return np.full(trace.count, default)
    if isinstance(end, Operand):
        if not isinstance(end, Item) or end.ndim or end.dtype.kind not in "iu":
            raise TypeError("slice indices must be integers or None or have an __index__ method")
        values = end.numbers()
    else:
        values = np.full(trace.count, end.__index__())
    return np.clip(np.where(values < 0, values + size, values), 0, size)


def _places(trace: Trace, one: Operand, size: int, axis: int) -> Places | int:
    stacked = is_stack(one)
    if one.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    known = getattr(one, "known", None)
    if known is None:
        (found,) = in_range(trace.cupy, [trace.data_of(one)], [size] * 1)
        return Places(found, stacked)
    if ((known < -size) | (known >= size)).any():
        raise IndexError(f"index is out of bounds for axis {axis} with size {size}")
    return Places(np.where(known < 0, known + size, known).astype("q"), stacked)


class _Builder:
    """The region that entries stand for."""

    def __init__(
        self, trace: Trace, shape: Sequence[int], entries: list[tuple[Any, int]], stacked: bool
    ) -> None:
        self.trace = trace
        self.shape = shape
        self.entries = entries
        self.stacked = stacked
        self.items = trace.count
        several = [one for one, _ in entries if isinstance(one, Places)]
        self.by_arrays = any(one.shape for one in several)

    def build(self) -> Region:
        """The region."""
        made = self._basic() or self._spaced() or self._gathered()
        made.is_view = not self.by_arrays
        made.owned = {
            axis: (one.values, 1) if isinstance(one, Places) else (one.starts, one.width)
            for one, axis in self.entries
            if isinstance(one, Window) or _is_known(one)
        }
        return made

    def named(self) -> Region:
        """The region, by whole numbers."""
        made = self._gathered()
        made.is_view = not self.by_arrays
        return made

    def _basic(self) -> Region | None:
        """Of a stack, where the index is the same for all items."""
        if not all(one is None or isinstance(one, (int, slice)) for one, _ in self.entries):
            return None
        if not self.stacked:
            raise AssertionError("an index that is the same for all, of what is")
        index = tuple(one for one, _ in self.entries)
        shape = _shape_of(self.shape, index)
        return Region(self.items, shape, (slice(None), *index))

    def _spaced(self) -> Region | None:
        """Where the parts are evenly spaced: they are a view."""
        known = [one for one, _ in self.entries if isinstance(one, Window) or _is_known(one)]
        if self.stacked or len(known) != sum(
            isinstance(one, (Places, Window)) for one, _ in self.entries
        ):
            return None
        grid = _grid([one.starts if isinstance(one, Window) else one.values for one in known])
        if grid is None:
            return None
        lengths, firsts, steps = grid
        axes = [(one, axis) for one, axis in self.entries if not isinstance(one, int)]
        places = {id(one): k for k, (one, _) in enumerate(e for e in axes if e[1] >= 0)}
        begins = {id(one): slice(first, None) for one, first in zip(known, firsts, strict=True)}
        before = tuple(begins.get(id(one), one) for one, axis in self.entries if axis >= 0)
        kept = [
            (self._length(one, axis), places[id(one)] if axis >= 0 else -1)
            for one, axis in axes if not isinstance(one, Places)
        ]  # fmt: skip
        moves = [
            {places[id(one)]: step[k] for one, step in zip(known, steps, strict=True)}
            for k in range(len(lengths))
        ]
        shape = tuple(length for length, _ in kept)
        return Region(self.items, shape, before, lengths, tuple(moves), tuple(kept))

    def _length(self, one: Any, axis: int) -> int:
        """How long an axis of a part is."""
        if one is None:
            return 1
        if isinstance(one, Window):
            return one.width
        return len(range(*one.indices(self.shape[axis])))

    def _gathered(self) -> Region:
        """Where each element is named."""
        spread = np.broadcast_shapes(
            *(one.shape for one, _ in self.entries if isinstance(one, Places))
        )
        dims, at = self._dims(len(spread))
        before = tuple(
            one if isinstance(one, slice) or (isinstance(one, int) and not self.by_arrays)
            else slice(None)
            for one, axis in self.entries if axis >= 0
        )  # fmt: skip
        lengths = [self._length(one, axis) for one, axis in dims]
        shape = (*lengths[:at], *spread, *lengths[at:])
        rank = len(shape)
        arrays: list[Any] = [self._along(np.arange(self.items), 0, rank)] if self.stacked else []
        for one, axis in self.entries:
            if axis < 0 or (isinstance(one, int) and not self.by_arrays):
                continue
            if isinstance(one, Places):
                arrays.append(self._spread(one, at, len(spread), rank))
                continue
            if isinstance(one, int):
                arrays.append(np.asarray(one))
                continue
            number = next(k for k, (_, other) in enumerate(dims) if other == axis)
            place = number + len(spread) if number >= at else number
            if isinstance(one, Window):
                steps = one.starts[:, None] + np.arange(one.width)
                arrays.append(steps.reshape(self.items, *_lone(one.width, place, rank)))
            else:
                arrays.append(self._along(np.arange(lengths[number]), place + 1, rank))
        trimmed = self._trimmed(arrays, rank)
        front = (slice(None),) if self.stacked else ()
        return Region(self.items, shape, (*front, *before), arrays=trimmed)

    def _dims(self, spread: int) -> tuple[list[tuple[Any, int]], int]:
        """What slices, windows and new axes leave, and where the axes of arrays stand in it."""
        kinds = (Places, int) if self.by_arrays else (Places,)
        arrays = [k for k, (one, _) in enumerate(self.entries) if isinstance(one, kinds)]
        dims = [(one, axis) for one, axis in self.entries if not isinstance(one, (Places, int))]
        if not spread:
            return dims, 0
        if arrays[-1] - arrays[0] + 1 != len(arrays):
            return dims, 0  # something stands between: NumPy puts them in front
        ahead = self.entries[: arrays[0]]
        return dims, sum(not isinstance(one, (Places, int)) for one, _ in ahead)

    def _along(self, values: Any, place: int, rank: int) -> Any:
        """Numbers along one of the axes behind, and with, the items'."""
        shape = [1] * (rank + 1)
        shape[place] = -1
        return values.reshape(shape)

    def _spread(self, one: Places, at: int, spread: int, rank: int) -> Any:
        shape = [one.values.shape[0] if one.stacked else 1, *[1] * rank]
        inner = one.shape
        first = 1 + at + spread - len(inner)
        shape[first : first + len(inner)] = inner
        return one.values.reshape(shape)

    def _trimmed(self, arrays: list[Any], rank: int) -> tuple[Any, ...]:
        """Without the last axes that slices take, which need no index."""
        count = 0
        while count < len(self.entries) and _is_slice(self.entries[-1 - count]):
            count += 1
        if not count:
            return tuple(arrays)
        kept = arrays[:-count]
        return tuple(
            one.reshape(one.shape[:-count]) if one.ndim == rank + 1 else one for one in kept
        )


def _is_slice(entry: tuple[Any, int]) -> bool:
    return isinstance(entry[0], slice)


def _lone(width: int, place: int, rank: int) -> list[int]:
    shape = [1] * rank
    shape[place] = width
    return shape


def _shape_of(shape: Sequence[int], index: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape that a basic index gives."""
    found: tuple[int, ...] = np.broadcast_to(np.empty(()), shape)[index].shape
    return found


def _is_known(one: Any) -> bool:
    """Whether an entry is a number for each item that the host knows."""
    return (
        isinstance(one, Places)
        and one.stacked
        and not one.shape
        and isinstance(one.values, np.ndarray)
    )


def _grid(vectors: list[Any]) -> tuple[tuple[int, ...], list[int], list[list[int]]] | None:
    """Numbers that go up by the same steps, along a line or the rows of a grid.

    Returns
    -------
    (lengths, firsts, steps) or None
        How long the grid is along its axes, and of each vector the first number, and the step along
        each of these axes.
    """
    count = len(vectors[0])
    inner = count
    for one in vectors:
        turns = np.flatnonzero(np.diff(one) != (one[1] - one[0] if count > 1 else 0))
        inner = min(inner, int(turns[0]) + 1) if turns.size else inner
    if count % inner:
        return None
    lengths = (inner,) if inner == count else (count // inner, inner)
    steps = []
    for one in vectors:
        box = one.reshape(lengths)
        step = [int(np.take(box, [-1], axis=k).flat[0] - box.flat[0]) for k in range(len(lengths))]
        step = [gap // max(1, n - 1) for gap, n in zip(step, lengths, strict=True)]
        expected = box.flat[0] + sum(
            np.arange(n).reshape([-1 if k == j else 1 for j in range(len(lengths))]) * step[k]
            for k, n in enumerate(lengths)
        )
        if min(step) < 0 or not np.array_equal(np.broadcast_to(expected, lengths), box):
            return None
        steps.append(step)
    return lengths, [int(one[0]) for one in vectors], steps
