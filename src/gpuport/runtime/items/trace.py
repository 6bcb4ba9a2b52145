"""One run of a loop for all of its items, or for those that go one way through it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from gpuport.runtime.failures import hand_out
from gpuport.runtime.items.apart import is_apart
from gpuport.runtime.items.arithmetic import operate
from gpuport.runtime.items.changing import (
    change,
    keep,
    operate_in_place,
    read,
    store,
)
from gpuport.runtime.items.containers import Objects, each_of
from gpuport.runtime.items.domains import Domain, domain_of
from gpuport.runtime.items.guards import Sum
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.keeping import split_up
from gpuport.runtime.items.knowledge import ATTRIBUTES_OF_ARRAYS, METHODS_OF_ARRAYS, rule_of
from gpuport.runtime.items.names import Names
from gpuport.runtime.items.outside import OuterArray
from gpuport.runtime.items.parts import Part
from gpuport.runtime.items.proxies import PLAIN, each, wrap
from gpuport.runtime.items.regions import Region
from gpuport.runtime.items.signals import NoItems, Split, Unbatched, refuse


class Trace:
    """What is known while the body of a loop runs once for all items.

    Parameters
    ----------
    cupy : module
    axes : int
        Of how many nested loops the iterations are items.
    subset : numpy.ndarray of int, optional
        Which of the items this run is for.

    Attributes
    ----------
    count : int
        How many items the run is for.
    places : numpy.ndarray of int, shape (count,)
        Which these are.
    total : int
        How many items there are in all.
    effects : list
    adds : bool
        Whether all that is added to parts of arrays waits for what other items add there.
    adds_alone : bool
        Whether an item has added to what seemed to be its own, and done so at once.
    sums : int
        How many numbers have been made by adding to one that all items add to.
    """

    def __init__(self, cupy: Any, axes: int = 1, subset: Any = None, *, adds: bool = False) -> None:
        self.cupy = cupy
        self.adds = adds
        self.adds_alone = False
        self.axes = axes
        self.subset = subset
        self.count = 0
        self.total = 0
        self.places: Any = np.zeros(0, "q")
        self.effects: list[Any] = []
        self.sums = 0
        self.depth = 0
        self.entered = 0
        self.finished = 0
        self.made: list[Item] = []
        self._wrapped: dict[int, tuple[Any, Any]] = {}
        self._names: dict[int, Names] = {}
        self.wrapped_arrays: list[OuterArray] = []
        self.listed: list[Any] = []
        self._hashed: set[int] = set()
        self.hosted: frozenset[int] = frozenset()
        self.gives_hosted = False

    # -- the loop

    def over(self, source: Any) -> Iterator[Any]:
        """The items, where this is a loop whose iterations are run at once; else its values."""
        found = domain_of(self, source)
        if self.depth or self.entered >= self.axes or found is None:
            return iter(_values(self, source) if found is None else found.values())
        return self._all(found)

    def _all(self, found: Domain) -> Iterator[Any]:
        self.entered += 1
        if self.entered == 1:
            self._begin(found.length())
            inner = np.arange(self.count)
        else:
            outer, inner = self._joined(found.lengths())
            self._spread(outer)
        if self.entered == self.axes:
            self.total = self.count
            self.places = np.arange(self.count)
            if self.subset is not None:
                self.places = self.subset
                self._spread(self.subset)
                inner = inner[self.subset]
            self.made = []
            hand_out(self.places.tolist(), self.total)
        before = dict(sys._getframe(1).f_locals)
        yield found.take(inner)
        self._see_nothing_carried(before, sys._getframe(1).f_locals)
        self.finished += 1

    def _see_nothing_carried(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """See that no name that an item finds has been bound by the one before it."""
        added = 0
        for name, value in before.items():
            now = after.get(name)
            if isinstance(value, Sum) and isinstance(now, Sum):
                added += len(now.terms)
            elif now is not value:
                refuse(f"`{name}` is bound by one item and read by the next")
        if added != self.sums:
            refuse("what the items add up to has another name")

    def _begin(self, count: int) -> None:
        if not count:
            raise NoItems
        self.count = count

    def _joined(self, lengths: Any) -> tuple[Any, Any]:
        """Of each pair of iterations of two loops, which they are."""
        counts = np.broadcast_to(np.asarray(lengths), self.count)
        outer = np.repeat(np.arange(self.count), counts)
        if not len(outer):
            raise NoItems
        begins = np.repeat(np.cumsum(counts) - counts, counts)
        return outer, np.arange(len(outer)) - begins

    def _spread(self, places: Any) -> None:
        """Go on with other items: some of those so far, each as often as it is named."""
        if self.effects:
            refuse("something is stored between the heads of two loops")
        self.count = len(places)
        for one in self.made:
            if isinstance(one, Part):
                continue
            if one.stacked:
                known = one.known
                if known is None:
                    one.data = one.data[self.cupy.asarray(places)]
                else:
                    one.data, one.known = None, known[places]
        for one in self.made:
            if isinstance(one, Part):
                one.renew()

    def uniform(self, labels: Any) -> Any:
        """What is the same for all items.

        Parameters
        ----------
        labels : numpy.ndarray, shape (count,)

        Raises
        ------
        Split
            Where it is not.
        """
        first = labels[0]
        if not (labels == first).all():
            raise Split(labels)
        return first

    # -- what is there

    def outer(self, value: Any) -> Any:
        """What stands for something that was there before the loop."""
        if isinstance(value, PLAIN) or value is NotImplemented:
            return value
        known = self._wrapped.get(id(value))
        if known is None:
            known = self._wrapped[id(value)] = (value, wrap(self, value))
        return known[1]

    def function(self, function: FunctionType) -> Any:
        """A function of the program, as the run calls it."""
        return self.outer(function)

    def names_of(self, live: dict[str, Any]) -> Names:
        """The names of a module."""
        if id(live) not in self._names:
            self._names[id(live)] = Names(self, live)
        return self._names[id(live)]

    def arrays(self) -> list[OuterArray]:
        """The arrays from outside that the run came by."""
        return self.wrapped_arrays

    def changed(self) -> list[OuterArray]:
        """Arrays, and parts of them, that the run changes."""
        targets = [one.target for one in self.effects]
        return [one for one in targets if isinstance(one, OuterArray)]

    def touched(self) -> list[Any]:
        """Arrays of which the run has read or stored something."""
        changed = {id(one.root) for one in self.changed()}
        own = [one.array for one in self.wrapped_arrays if one.reads or id(one) in changed]
        return [*own, *self.listed]

    def each(self, values: Sequence[Any]) -> Any:
        """What differs from item to item.

        Parameters
        ----------
        values : sequence of object
            Of each item its own.
        """
        return each(self, values)

    def keys_of(self, key: Any) -> list[Any] | None:
        """Of each item its key; None where all have the same."""
        if isinstance(key, Objects):
            return each_of(key)
        if is_stack(key) and not key.ndim:
            numbers = key.numbers()
            return numbers.tolist() if key.weak else list(numbers)
        if isinstance(key, tuple):
            parts = [self.keys_of(one) for one in key]
            if all(part is None for part in parts):
                return [key] if self.count == 1 else None
            columns = [
                [one] * self.count if part is None else part
                for one, part in zip(key, parts, strict=True)
            ]
            return list(zip(*columns, strict=True))
        if isinstance(key, Operand):
            raise TypeError("unhashable type")
        return [key] if self.count == 1 else None

    def hash_of(self, value: Any) -> int:
        """One value of each item may be the key of a dict that the loop makes."""
        self._hashed.add(id(value))
        if len(self._hashed) > 1:
            refuse("several values of an item are keys")
        return id(value)

    # -- what is done

    def call(self, path: str, *given: Any, **options: Any) -> Any:
        """A function of a library, of all items."""
        rule = rule_of(path)
        if rule is None:
            refuse(f"`{path}`")
        return rule(self, *given, **options)

    def attribute(self, operand: Operand, name: str) -> Any:
        """An attribute of an array or number that is no operator."""
        if name in ATTRIBUTES_OF_ARRAYS:
            return ATTRIBUTES_OF_ARRAYS[name](self, operand)
        if name not in METHODS_OF_ARRAYS:
            refuse(f"the attribute `{name}`")
        method = METHODS_OF_ARRAYS[name]
        return lambda *given, **options: method(self, operand, *given, **options)

    def operate(self, ufunc: str, *given: Any) -> Any:
        """An operator of Python's."""
        return operate(self, ufunc, *given)

    def operate_in_place(self, ufunc: str, target: Any, value: Any) -> Any:
        """An operator with ``=``."""
        return operate_in_place(self, ufunc, target, value)

    def read(self, item: Item, index: Any) -> Any:
        """``item[index]``."""
        return read(self, item, index)

    def change(self, item: Item, index: Any, value: Any) -> None:
        """``item[index] = value``."""
        change(self, item, index, value)

    def store(self, array: OuterArray, where: Region, value: Any) -> None:
        """``array[index] = value``."""
        store(self, array, where, value)

    def note(self, effect: Any) -> None:
        """Keep what is changed outside of the loop until its end."""
        if not self.entered or self.entered < self.axes:
            refuse("something is stored outside of the loop")
        keep(getattr(effect, "value", None))
        keep(getattr(effect, "values", None))
        self.effects.append(effect)

    # -- data

    def data_of(self, operand: Any) -> Any:
        """The data of an operand on the device."""
        if isinstance(operand, OuterArray):
            return operand.whole()
        return operand.data

    def array_of(self, value: Any) -> Any:
        """``numpy.array`` of nested lists."""
        return self.call("numpy.asarray", value)

    def aligned(self, value: Any, rank: int) -> Any:
        """The values of all items, that broadcast to the items and parts of so many axes."""
        if not isinstance(value, Operand):
            return value
        data = self.data_of(value)
        if not is_stack(value):
            return data
        more = rank - (data.ndim - 1)
        if more < 0:
            raise ValueError("setting an array element with a sequence")
        return data.reshape(data.shape[0], *[1] * more, *data.shape[1:]) if more else data

    def plain(self, value: Any) -> Any:
        """The data of what is the same for all items."""
        return self.data_of(value) if isinstance(value, Operand) else value

    def plain_index(self, index: Any, on_host: bool) -> Any:
        """An index that is the same for all items, with arrays in the place of operands."""
        if isinstance(index, tuple):
            return tuple(self.plain_index(one, on_host) for one in index)
        if not isinstance(index, Operand):
            return index
        data = self.data_of(index)
        return self.cupy.asnumpy(data) if on_host else data

    def is_apart(self, accesses: list[Mapping[int, Any]]) -> bool:
        """Whether no two items name the same element."""
        return is_apart([accesses])  # type: ignore[list-item]

    def split_up(self, value: Any, *, hosted: bool = False) -> list[Any]:
        """Of each item its value; `hosted`: as one of NumPy's."""
        return split_up(self, value, hosted=hosted)


def _values(trace: Trace, source: Any) -> Iterator[Any]:
    """The values of something that is no loop over items."""
    if isinstance(source, Item):
        return iter([source[k] for k in range(len(source))])
    raise Unbatched("a loop over something that is not known")
