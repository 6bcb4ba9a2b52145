"""Parts of arrays that were there before the loop, and what is added to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.effects import AddTo, AddWhere
from gpuport.runtime.items.indexing import places_of
from gpuport.runtime.items.item import Item, Operand
from gpuport.runtime.items.later import Waiting
from gpuport.runtime.items.regions import Region
from gpuport.runtime.items.signals import NotCompared, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.outside import OuterArray


class Part(Waiting):
    """A part of an array from outside, read where it is wanted."""

    __slots__ = ("array", "done", "index", "where")

    def __init__(self, array: OuterArray, where: Region | None, index: Any) -> None:
        super().__init__(array.trace, origin=array)
        self.array = array
        if where is not None:
            self.where: Region = where
        self.index = index
        self.done = False
        self.on_host = array.on_host

    def renew(self) -> None:
        """Find the part anew, where other items are gone on with."""
        self.array.reads = [one for one in self.array.reads if one is not self.where]
        self.where = self.array.region(self.index)
        self._data = self.known = None

    def find(self) -> Any:
        return self.array.read(self.where)

    @property
    def whole_shape(self) -> tuple[int, ...]:
        return (self.where.items, *self.where.shape)

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    def is_shared(self) -> bool:
        """Whether several items may have some of it."""
        return not self.trace.is_apart([self.where.owned])

    def adds_together(self) -> bool:
        """Whether what is added to it waits for what other items add."""
        if self.trace.adds or self.is_shared():
            return True
        self.trace.adds_alone = True
        return False

    def written_back(self, array: OuterArray, where: Region) -> bool:
        """Whether ``a[i] += x`` puts back what has been changed in place."""
        return self.done and array is self.array and _same_owned(where, self.where)


def _same_owned(one: Region, other: Region) -> bool:
    return one.owned.keys() == other.owned.keys() and one.shape == other.shape and all(
        width == other.owned[axis][1] and np.array_equal(starts, other.owned[axis][0])
        for axis, (starts, width) in one.owned.items()
    )  # fmt: skip


class Chosen(Part):
    """The elements of an array where a mask of each item is true.

    They may be added to; where anything else is asked of them, the mask is asked how many they are.
    """

    __slots__ = ("_found",)

    def __init__(self, array: OuterArray, mask: Item) -> None:
        self._found: Region | None = None
        super().__init__(array, None, mask)
        self.frozen = "a mask picks elements of its own from each item"
        if mask.shape != array.shape[: mask.ndim]:
            raise IndexError("boolean index did not match indexed array")

    @property
    def where(self) -> Region:
        """Where they are."""
        if self._found is None:
            self._found = self.array.region(self.index)
        return self._found

    @where.setter
    def where(self, found: Region) -> None:
        self._found = found

    def renew(self) -> None:
        """Find them anew."""
        if self._found is not None:
            super().renew()

    def __iadd__(self, value: Any) -> Any:
        return self._added(value, False)

    def __isub__(self, value: Any) -> Any:
        return self._added(value, True)

    def _added(self, value: Any, subtract: bool) -> Added:
        if getattr(value, "ndim", 0):
            refuse("a mask of an item is given several values")
        see_castable(self.array.dtype, value, whole=True)
        return Added(self, value, subtract)


class Added(NotCompared):
    """What is to be added to parts that several items may share, until it is stored there."""

    def __init__(self, part: Part, values: Any, subtract: bool) -> None:
        self.part = part
        self.values = values
        self.subtract = subtract

        self.noted = False

    @property
    def index(self) -> Any:
        """Where."""
        return self.part.index

    def begun(self) -> Added:
        """It, where a view is changed at once, whether or not it is stored after that."""
        if self.part.where.is_view and self.part.ndim:
            self.stored()
        return self

    def stored(self) -> None:
        """Keep it for the end of the loop."""
        if not self.noted:
            self.part.trace.note(self.effect())
        self.noted = True

    def is_for(self, array: OuterArray, index: Any) -> bool:
        """Whether it is stored where it was read."""
        return array is self.part.array and same_index(index, self.part.index)

    def effect(self) -> AddTo | AddWhere:
        """What is left of it for the end of the loop."""
        part, array = self.part, self.part.array
        if isinstance(part, Chosen):
            return AddWhere(array, self.index, self.values, self.subtract)
        made = part.where.arrays
        named = part.where if made else places_of(part.trace, array.shape, self.index)
        return AddTo(array, part.where, named, self.values, self.subtract)

    def __getattr__(self, name: str) -> Any:
        refuse("what is added at shared places is read")


def same_index(one: Any, other: Any) -> bool:
    """Whether what stands between the brackets is the same thing."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_index, one, other))
    if isinstance(one, slice) and isinstance(other, slice):
        pairs = zip(_ends(one), _ends(other), strict=True)
        return all(same_index(a, b) for a, b in pairs)
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    return one is other


def _ends(one: slice) -> tuple[Any, Any, Any]:
    return one.start, one.stop, one.step


def see_castable(dtype: Any, value: Any, *, whole: bool = False) -> None:
    """See that a value may be stored; `whole`: that whole numbers stay such."""
    if isinstance(value, (Operand, np.generic)):
        kind = value.dtype
    elif isinstance(value, (bool, int, float, complex)):
        kind = np.asarray(value).dtype
    else:
        refuse("something is stored that is no number")
    if kind.kind not in "biufc":
        refuse("something is stored that is no number")
    if whole and kind.kind in "fc" and dtype.kind in "biu":
        refuse("floating numbers are added to whole ones")
    if kind.kind == "c" and dtype.kind != "c":
        refuse("complex numbers are stored as real ones")
