"""What a loop changes outside of itself, kept until it is known that all items can run at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.batched.scatters import add_at
from gpuport.runtime.batched.values import total
from gpuport.runtime.items.item import Operand, is_stack
from gpuport.runtime.items.regions import Region

if TYPE_CHECKING:
    from gpuport.runtime.items.containers import OuterDict, OuterList
    from gpuport.runtime.items.outside import OuterArray
    from gpuport.runtime.items.scratch import Scratch
    from gpuport.runtime.items.trace import Trace


@dataclass(eq=False)
class Store:
    """``array[i] = value``.

    Attributes
    ----------
    target : OuterArray
    where : Region
    values : array or number
        Of a shape that broadcasts to the items and the shape of the part.
    last : tuple of (numpy.ndarray of bool, tuple of numpy.ndarray), optional
        Where several items store at a place: which of the values are stored there last, and where
        these belong.
    """

    target: OuterArray
    where: Region
    values: Any
    last: tuple[Any, tuple[Any, ...]] | None = None

    def apply(self, array: Any) -> None:
        """Store into the array, or a copy of it."""
        values = self.values
        if isinstance(array, np.ndarray) and hasattr(values, "get"):
            values = values.get()
        if self.last is None:
            self.where.store(array, values)
            return
        library = np if isinstance(array, np.ndarray) else self.target.trace.cupy
        stays, places = self.last
        given = library.broadcast_to(library.asarray(values), stays.shape)
        array[tuple(map(library.asarray, places))] = given[library.asarray(stays)]


@dataclass(eq=False)
class AddTo:
    """``array[places] += value``, where several items may name the same place.

    Attributes
    ----------
    target : OuterArray
    where : Region
        The part that is added to; `named`: with whole numbers for each element.
    values : object
    subtract : bool
    """

    target: OuterArray
    where: Region
    named: Region
    values: Any
    subtract: bool

    def apply(self, array: Any) -> None:
        """Add to the array."""
        trace, named = self.target.trace, self.named
        there = trace.cupy.asarray(array) if isinstance(array, np.ndarray) else array
        values = trace.aligned(self.values, len(named.shape))
        if isinstance(self.values, Operand) and not is_stack(self.values):
            values = values[None]
        add_at(there[named.before], named.arrays, values, subtract=self.subtract)
        if there is not array:
            array[...] = there.get()


@dataclass(eq=False)
class AddWhere:
    """``array[mask] += number``."""

    target: OuterArray
    mask: Any
    values: Any
    subtract: bool

    def apply(self, array: Any) -> None:
        """Add what all items add."""
        trace, mask = self.target.trace, self.mask.data
        values = trace.aligned(self.values, self.mask.ndim)
        dtype = np.result_type(array.dtype, getattr(values, "dtype", values))
        added = trace.cupy.where(mask, values, 0).sum(axis=0, dtype=dtype)
        added = added.reshape(added.shape + (1,) * (array.ndim - added.ndim))
        _add(array, added, self.subtract)


@dataclass(eq=False)
class AddWhole:
    """``array += value``."""

    target: OuterArray
    value: Any
    subtract: bool

    def apply(self, array: Any) -> None:
        """Add what all items add."""
        trace, value = self.target.trace, self.value
        if is_stack(value):
            stack = trace.aligned(value, array.ndim)
            whole = total(stack, array)
        else:
            whole = trace.cupy.asarray(trace.plain(value)) * trace.count
        _add(array, whole, self.subtract)


def _add(array: Any, added: Any, subtract: bool) -> None:
    """Change an array, wherever it is, by one of the device."""
    added = added.get() if isinstance(array, np.ndarray) else added
    if subtract:
        array -= added
    else:
        array += added


@dataclass(eq=False)
class Leave:
    """What the last item leaves in an array in which each item works by itself."""

    target: OuterArray
    scratch: Scratch

    def apply(self, array: Any) -> None:
        """Put it into the array."""
        trace, item = self.target.trace, self.scratch.item
        if trace.places[-1] != trace.total - 1:
            return
        last = item.data[-1] if item.stacked else item.data
        array[...] = trace.cupy.asnumpy(last) if isinstance(array, np.ndarray) else last


@dataclass(eq=False)
class Append:
    """``list.append(value)``."""

    target: OuterList
    value: Any


@dataclass(eq=False)
class Put:
    """``mapping[key] = value``, or an item of a list.

    Attributes
    ----------
    keys : list
        One for each item.
    """

    target: OuterDict | OuterList
    keys: list[Any]
    value: Any


def commit(traces: list[Trace]) -> None:
    """Carry out what the items change; whatever may not be possible is found out before."""
    grown = [(target, made[0][1], _in_order(made)) for target, made in _by_target(traces)]
    for trace in traces:
        for one in trace.effects:
            if isinstance(one, (Store, AddTo, AddWhere, AddWhole, Leave)):
                one.apply(one.target.array)
    for target, first, rows in grown:
        if isinstance(first, Put):
            for _, _, key, value in rows:
                target.stored[key] = value
        else:
            target.stored.extend(value for _, _, _, value in rows)


def _by_target(traces: list[Trace]) -> Iterator[tuple[Any, list[tuple[Trace, Append | Put]]]]:
    """The lists and dicts that grow, with what is done to them."""
    found: dict[int, tuple[Any, list[tuple[Trace, Append | Put]]]] = {}
    for trace in traces:
        for one in trace.effects:
            if isinstance(one, (Append, Put)):
                known = found.setdefault(id(one.target.stored), (one.target, []))
                known[1].append((trace, one))
    yield from found.values()


def _in_order(made: list[tuple[Trace, Append | Put]]) -> list[tuple[int, int, Any, Any]]:
    """Place of the item, number of the effect, key and value, as the loop has them."""
    rows: list[tuple[int, int, Any, Any]] = []
    for number, (trace, one) in enumerate(made):
        hosted = id(one.target.stored) in trace.hosted
        values = trace.split_up(one.value, hosted=hosted)
        keys = one.keys if isinstance(one, Put) else [None] * len(values)
        rows += zip(trace.places.tolist(), [number] * len(values), keys, values, strict=True)
    return sorted(rows, key=lambda row: row[:2])
