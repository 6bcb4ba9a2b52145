"""Arrays that were there before the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.containers import OuterList
from gpuport.runtime.items.effects import AddWhole
from gpuport.runtime.items.indexing import region
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.parts import Added, Chosen, Part, same_index
from gpuport.runtime.items.regions import Region
from gpuport.runtime.items.scratch import Scratch
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def is_varying(index: Any) -> bool:
    """Whether an index differs from item to item."""
    if isinstance(index, tuple):
        return any(map(is_varying, index))
    if isinstance(index, slice):
        return any(map(is_varying, (index.start, index.stop, index.step)))
    if isinstance(index, list):
        return any(map(is_varying, index))
    return is_stack(index)


def spelt(index: Any) -> Any:
    """An index in which a tuple from outside of the loop is one."""
    if isinstance(index, OuterList) and isinstance(index.items, tuple):
        return tuple(index)
    return index


class OuterArray(Operand):
    """An array from outside of the loop, the same for all items.

    Attributes
    ----------
    array : cupy.ndarray or numpy.ndarray
    root : OuterArray
        What it was taken out of; often itself.
    reads : list of Region or None
        What the loop read of it; None is all of it.
    scratch : Scratch or None
        Where all items store at the same places: each item's own.
    taken : object
        Of a part, the index of it, the same for all items.
    """

    __slots__ = ("_shadow", "_there", "array", "reads", "root", "scratch", "taken", "trace")
    weak = ""
    mixed = False

    def __init__(self, trace: Trace, array: Any, root: OuterArray | None = None) -> None:
        self.trace = trace
        self.array = array
        self.root = self if root is None else root
        self.reads: list[Region | None] = []
        self.scratch: Scratch | None = None
        self.taken: Any = None
        self._there: Any = None
        self._shadow: Any = None

    @property
    def stacked(self) -> bool:  # type: ignore[override]
        """Whether each item has its own, to work in."""
        return self.scratch is not None and self.scratch.item.stacked

    @property
    def on_host(self) -> bool:
        """Whether it is NumPy's."""
        return isinstance(self.array, np.ndarray)

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.array.shape
        return shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(self.array.size)

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    @property
    def known(self) -> Any:
        """The numbers, where the host has them."""
        if not self.on_host or self.scratch is not None:
            return None
        self.root.reads.append(None)
        return self.array

    def whole(self) -> Any:
        """All of it, on the device; of all items where each has its own."""
        if self.scratch is not None:
            return self.scratch.whole()
        self.root.reads.append(None)
        if self._there is None:
            self._there = self.trace.cupy.asarray(self.array) if self.on_host else self.array
        return self._there

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return self.trace.over(self)

    def __bool__(self) -> bool:
        if self.scratch is not None:
            refuse("a condition on an array in which the items work")
        self.root.reads.append(None)
        return bool(self.array)

    def __index__(self) -> int:
        if self.scratch is not None:
            refuse("a place in an array in which the items work")
        self.root.reads.append(None)
        return self.array.__index__()  # type: ignore[no-any-return]

    def __getitem__(self, index: Any) -> Any:
        index = spelt(index)
        if self.scratch is not None:
            return self.scratch.read(index)
        if not is_varying(index):
            part = self.array[self.trace.plain_index(index, self.on_host)]
            if isinstance(part, np.generic):
                self.root.reads.append(None)
                return part
            made = OuterArray(self.trace, part, self.root)
            made.taken = index
            return made
        if isinstance(index, Item) and index.dtype.kind == "b":
            return Chosen(self, index)
        return Part(self, self.region(index), index)

    def region(self, index: Any) -> Region:
        """Where an index points."""
        return region(self.trace, self.shape, index, stacked=False)

    def read(self, where: Region) -> Any:
        """The parts of the items."""
        self.reads.append(where)
        if self is not self.root:
            self.root.reads.append(None)
        written = [one for one in self.trace.effects if getattr(one, "target", None) is self]
        if not written:
            return where.of(self.array)
        if self._shadow is None:
            self._shadow = self.array.copy(), []
        shadow, done = self._shadow
        for one in written[len(done) :]:
            one.apply(shadow)
            done.append(one)
        found = where.of(shadow)
        return found if where.copies else found.copy()

    def __setitem__(self, index: Any, value: Any) -> None:
        index = spelt(index)
        if self is not self.root:
            refuse("a part of an array is changed under a name of its own")
        if isinstance(value, Added) and value.is_for(self, index):
            value.stored()
            return
        if isinstance(value, OuterArray) and value.root is self and same_index(index, value.taken):
            if not any(value is one for one in self.trace.changed()):
                refuse("an array is stored to itself")
            return
        if self.scratch is None and not is_varying(index):
            self.scratch = Scratch(self)
        if self.scratch is not None:
            self.scratch.store(index, value)
            return
        where = self.region(index)
        if isinstance(value, Part) and value.written_back(self, where):
            return
        self.trace.store(self, where, value)

    def added(self, value: Any, subtract: bool) -> OuterArray:
        """``array += value``, of every item."""
        if self.scratch is not None or (self is not self.root and self.taken is None):
            refuse("a part of an array is changed under a name of its own")
        self.trace.note(AddWhole(self, value, subtract))
        return self
