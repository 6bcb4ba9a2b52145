"""Arrays from outside in which each item works by itself: ``A[:k, :k] = ...; b[:] = ...``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.effects import Leave
from gpuport.runtime.items.item import Item, is_stack
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.outside import OuterArray


class Scratch:
    """An item's own copy of an array that all items store to at the same places.

    What an item reads of it, it has stored itself, or no item ever stores there; else it would find
    what the item before it has left.

    Attributes
    ----------
    item : Item
        The copy.
    written, early : numpy.ndarray of bool
        What has been stored to, and what was read before that.
    """

    def __init__(self, array: OuterArray) -> None:
        trace = array.trace
        if array.reads or any(one.root is array for one in trace.changed()):
            refuse("an item may find what another one stores")
        self.array = array
        self.item = Item(trace, trace.cupy.array(array.array), stacked=False)
        self.item.on_host = array.on_host
        self.written = np.zeros(array.shape, bool)
        self.early = np.zeros(array.shape, bool)
        self.left = Leave(array, self)
        trace.note(self.left)

    def store(self, index: Any, value: Any) -> None:
        """``array[index] = value``."""
        places = self._places(index)
        self.item.frozen = ""
        self.array.trace.change(self.item, index, value)
        if places is not None:
            self.written[places] = True

    def read(self, index: Any) -> Any:
        """``array[index]``."""
        places = self._places(index)
        if places is not None:
            early = np.zeros_like(self.early)
            early[places] = True
            self.early |= early & ~self.written
        found = self.array.trace.read(self.item, index)
        return Working(self, found, index)

    def whole(self) -> Any:
        """All of it."""
        self.early |= ~self.written
        return self.item.data

    def _places(self, index: Any) -> Any:
        """An index that is the same for all items; None where all has been stored to."""
        if self.written.all():
            return None
        if is_stack(index) or (isinstance(index, tuple) and any(map(is_stack, index))):
            refuse("an item may find what another one stores")
        return self.array.trace.plain_index(index, True)

    def see_own(self) -> None:
        """See that no item finds what another one has left."""
        if (self.early & self.written).any():
            refuse("an item may find what another one stores")


class Working(Item):
    """A part of such an array: a change in place is one of the array."""

    __slots__ = ("index", "scratch")

    def __init__(self, scratch: Scratch, found: Item, index: Any) -> None:
        data = found.data.copy() if found.ndim else found.data
        super().__init__(scratch.array.trace, data, stacked=found.stacked, on_host=found.on_host)
        self.scratch = scratch
        self.index = index
        self.frozen = "a part of an array is changed under a name of its own"

    def changed(self, value: Item) -> Working:
        """``part += value``."""
        self.scratch.store(self.index, value)
        self.data, self.stacked = value.data.astype(self.dtype), value.stacked
        return self


__all__ = ["Scratch", "Working"]
