"""What a loop reads and changes of what was there before it."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.effects import AddTo, AddWhole, Append, Put, Store
from gpuport.runtime.items.item import Item, Operand
from gpuport.runtime.items.regions import Region, region
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def is_varying(index: Any) -> bool:
    """Whether an index differs from item to item."""
    if isinstance(index, tuple):
        return any(map(is_varying, index))
    if isinstance(index, slice):
        return any(map(is_varying, (index.start, index.stop, index.step)))
    if isinstance(index, (list, Objects)):
        return isinstance(index, Objects) or any(map(is_varying, index))
    return isinstance(index, Item) and index.stacked


class OuterArray(Operand):
    """An array from outside of the loop, the same for all items.

    Attributes
    ----------
    array : cupy.ndarray or numpy.ndarray
    root : OuterArray
        What it was taken out of; often itself.
    reads : list of Region or None
        What the loop read of it; None is all of it.
    """

    __slots__ = ("_shadow", "_there", "array", "reads", "root", "trace")

    def __init__(self, trace: Trace, array: Any, root: OuterArray | None = None) -> None:
        self.trace = trace
        self.array = array
        self.root = root or self
        self.reads: list[Region | None] = []
        self._there: Any = None
        self._shadow: Any = None

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
        if not self.on_host:
            return None
        self.root.reads.append(None)
        return self.array

    def whole(self) -> Any:
        """All of it, on the device."""
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
        self.root.reads.append(None)
        return bool(self.array)

    def __index__(self) -> int:
        self.root.reads.append(None)
        return self.array.__index__()  # type: ignore[no-any-return]

    def __getitem__(self, index: Any) -> Any:
        if not is_varying(index):
            self.root.reads.append(None)
            part = self.array[self.trace.plain_index(index, self.on_host)]
            return part if isinstance(part, np.generic) else OuterArray(self.trace, part, self.root)
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
        if self is not self.root:
            refuse("a part of an array is changed under a name of its own")
        if isinstance(value, Added) and value.is_for(self, index):
            self.trace.note(AddTo(self, value.index, value.values, value.subtract))
            return
        if not is_varying(index):
            refuse("all items store at the same place")
        where = self.region(index)
        if isinstance(value, Part) and value.written_back(self, where):
            return
        self.trace.store(self, where, value)

    def added(self, value: Any, subtract: bool) -> OuterArray:
        """``array += value``, of every item."""
        if self is not self.root:
            refuse("a part of an array is changed under a name of its own")
        self.trace.note(AddWhole(self, value, subtract))
        return self


class Part(Item):
    """A part of an array from outside, read where it is wanted."""

    __slots__ = ("array", "done", "index", "where")

    def __init__(self, array: OuterArray, where: Region, index: Any) -> None:
        super().__init__(array.trace, origin=array)
        self.array = array
        self.where = where
        self.index = index
        self.done = False
        self.on_host = array.on_host

    def renew(self) -> None:
        """Find the part anew, where other items are gone on with."""
        self.array.reads = [one for one in self.array.reads if one is not self.where]
        self.where = self.array.region(self.index)
        self._data = self.known = None

    def _read(self) -> None:
        if self._data is None and self.known is None:
            found = self.array.read(self.where)
            if isinstance(found, np.ndarray):
                self.known = found
            else:
                self._data = found

    @property
    def data(self) -> Any:
        self._read()
        return Item.data.fget(self)  # type: ignore[attr-defined]

    @data.setter
    def data(self, value: Any) -> None:
        self._data, self.known = value, None

    def numbers(self) -> Any:
        self._read()
        return super().numbers()

    @property
    def whole_shape(self) -> tuple[int, ...]:
        return (self.where.items, *self.where.shape)

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    def is_shared(self) -> bool:
        """Whether several items may have some of it."""
        return not self.trace.is_apart([self.where.owned])

    def written_back(self, array: OuterArray, where: Region) -> bool:
        """Whether ``a[i] += x`` puts back what has been changed in place."""
        return self.done and array is self.array and _same_owned(where, self.where)


def _same_owned(one: Region, other: Region) -> bool:
    return one.owned.keys() == other.owned.keys() and one.shape == other.shape and all(
        width == other.owned[axis][1] and np.array_equal(starts, other.owned[axis][0])
        for axis, (starts, width) in one.owned.items()
    )  # fmt: skip


class Added:
    """What is to be added to parts that several items may share, until it is stored there."""

    def __init__(self, part: Part, values: Any, subtract: bool) -> None:
        self.part = part
        self.values = values
        self.subtract = subtract

    @property
    def index(self) -> Any:
        """Where."""
        return self.part.index

    def is_for(self, array: OuterArray, index: Any) -> bool:
        """Whether it is stored where it was read."""
        return array is self.part.array and _same_index(index, self.part.index)

    def __getattr__(self, name: str) -> Any:
        refuse("what is added at shared places is read")


def _same_index(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same_index, one, other))
    if isinstance(one, (int, slice)) and type(one) is type(other):
        return bool(one == other) if isinstance(one, int) else one is other or (
            [one.start, one.stop, one.step] == [other.start, other.stop, other.step]
        )  # fmt: skip
    return one is other


class OuterList:
    """A list, or tuple, from outside of the loop."""

    def __init__(self, trace: Trace, items: list[Any] | tuple[Any, ...]) -> None:
        self.trace = trace
        self.items = items
        self.stored = items

    def __len__(self) -> int:
        self._unchanged()
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        self._unchanged()
        return self.trace.over(self)

    def __getitem__(self, index: Any) -> Any:
        self._unchanged()
        if not isinstance(index, Item):
            found = self.items[index]
            return self.trace.outer(found)
        numbers = index.numbers()
        if index.ndim or numbers.dtype.kind not in "iu":
            raise TypeError("list indices must be integers or slices")
        return self.trace.each([self.items[k] for k in numbers])

    def _unchanged(self) -> None:
        if any(getattr(one, "target", None) is self for one in self.trace.effects):
            refuse("a list is read while it grows")

    def __contains__(self, value: Any) -> bool:
        refuse("whether a list has a value")

    def append(self, value: Any) -> None:
        if not isinstance(self.items, list):
            raise AttributeError("append")
        self.trace.note(Append(self, value))

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(self.items, list) or not isinstance(index, Item):
            refuse("all items store at the same place of a list")
        numbers = index.numbers()
        if ((numbers < -len(self.items)) | (numbers >= len(self.items))).any():
            raise IndexError("list assignment index out of range")
        self.trace.note(Put(self, (numbers % len(self.items)).tolist(), value))

    def __getattr__(self, name: str) -> Any:
        refuse(f"`{name}` of a list")


class OuterDict:
    """A dict from outside of the loop."""

    def __init__(self, trace: Trace, entries: dict[Any, Any]) -> None:
        self.trace = trace
        self.entries = entries
        self.stored = entries

    def __getitem__(self, key: Any) -> Any:
        if any(getattr(one, "target", None) is self for one in self.trace.effects):
            refuse("a dict is read while it is filled")
        keys = self.trace.keys_of(key)
        if keys is None:
            return self.trace.outer(self.entries[key])
        return self.trace.each([self.entries[one] for one in keys])

    def __setitem__(self, key: Any, value: Any) -> None:
        keys = self.trace.keys_of(key)
        if keys is None:
            refuse("all items store under the same key")
        self.trace.note(Put(self, keys, value))

    def __len__(self) -> int:
        if any(getattr(one, "target", None) is self for one in self.trace.effects):
            refuse("a dict is read while it is filled")
        return len(self.entries)

    def __iter__(self) -> Iterator[Any]:
        return self.trace.over(OuterList(self.trace, list(self.entries)))

    def __contains__(self, key: Any) -> bool:
        if self.trace.keys_of(key) is not None:
            refuse("whether a dict has the key of an item")
        return key in self.entries

    def items(self) -> Any:
        """Pairs."""
        return OuterList(self.trace, list(self.entries.items()))

    def keys(self) -> Any:
        """Keys."""
        return OuterList(self.trace, list(self.entries))

    def values(self) -> Any:
        """Values."""
        return OuterList(self.trace, list(self.entries.values()))

    def __getattr__(self, name: str) -> Any:
        refuse(f"`{name}` of a dict")


class OuterObject:
    """An instance of a class of the program: what it stores is read, its methods run."""

    def __init__(self, trace: Trace, value: Any) -> None:
        object.__setattr__(self, "_gp", (trace, value))

    def __getattr__(self, name: str) -> Any:
        trace, value = object.__getattribute__(self, "_gp")
        stored = getattr(value, "__dict__", {})
        if name in stored:
            return trace.outer(stored[name])
        found = next((vars(one)[name] for one in type(value).__mro__ if name in vars(one)), None)
        if isinstance(found, FunctionType):
            return MethodType(trace.function(found), self)
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            return trace.function(found.fget)(self)
        if isinstance(found, staticmethod):
            return trace.outer(found.__func__)
        if found is None or hasattr(type(found), "__get__"):
            refuse(f"the attribute `{name}`")
        return trace.outer(found)

    def __setattr__(self, name: str, value: Any) -> None:
        refuse(f"the attribute `{name}` is bound")


class Objects:
    """Something of Python's that differs from item to item: texts, objects."""

    def __init__(self, trace: Trace, each: list[Any]) -> None:
        object.__setattr__(self, "_gp", (trace, each))

    def __getattr__(self, name: str) -> Any:
        trace, each = object.__getattribute__(self, "_gp")
        if not all(name in getattr(one, "__dict__", {}) for one in each):
            refuse(f"the attribute `{name}`")
        return trace.each([vars(one)[name] for one in each])

    def __setattr__(self, name: str, value: Any) -> None:
        refuse(f"the attribute `{name}` is bound")

    def __getitem__(self, key: Any) -> Any:
        trace, each = object.__getattribute__(self, "_gp")
        if not all(type(one) is dict for one in each) or trace.keys_of(key) is not None:
            refuse("an item of something that is no dict")
        return trace.each([one[key] for one in each])

    def __hash__(self) -> int:
        found: int = object.__getattribute__(self, "_gp")[0].hash_of(self)
        return found

    def _refused(self, *given: Any) -> Any:
        refuse("something of Python's that differs from item to item")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused  # type: ignore[assignment]
    __bool__ = __len__ = __iter__ = __str__ = __repr__ = __format__ = _refused
    __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __call__ = __contains__ = _refused


def each_of(objects: Objects) -> list[Any]:
    """Of each item its own."""
    found: list[Any] = object.__getattribute__(objects, "_gp")[1]
    return found


class Forbidden:
    """What may have effects, or an answer that differs from item to item: nothing is asked of it."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_gp", name)

    def _refused(self, *given: Any, **named: Any) -> Any:
        refuse(f"`{object.__getattribute__(self, '_gp')}`")

    __call__ = __getitem__ = __setitem__ = __iter__ = __len__ = __bool__ = _refused
    __enter__ = __exit__ = __eq__ = __ne__ = __str__ = __repr__ = __format__ = _refused  # type: ignore[assignment]
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __contains__ = _refused
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refused  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        refuse(f"`{object.__getattribute__(self, '_gp')}.{name}`")

    def __setattr__(self, name: str, value: Any) -> None:
        refuse(f"`{object.__getattribute__(self, '_gp')}.{name}` is bound")


class Sum:
    """A number to which each item adds: nothing else may be done with it."""

    def __init__(self, trace: Trace, start: Any, terms: tuple[tuple[int, Any], ...] = ()) -> None:
        self.trace = trace
        self.start = start
        self.terms = terms

    def _with(self, value: Any, sign: int) -> Sum:
        made = Sum(self.trace, self.start, (*self.terms, (sign, value)))
        self.trace.sums += 1
        return made

    def __add__(self, value: Any) -> Sum:
        return self._with(value, 1)

    def __sub__(self, value: Any) -> Sum:
        return self._with(value, -1)

    __radd__ = __iadd__ = __add__
    __isub__ = __sub__
    __array_priority__ = 2e6

    def _refused(self, *given: Any) -> Any:
        refuse("what the items add up to is read before the loop ends")

    __bool__ = __float__ = __int__ = __index__ = __len__ = __iter__ = __getitem__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __str__ = __format__ = _refused  # type: ignore[assignment]
    __mul__ = __rmul__ = __rsub__ = __truediv__ = __rtruediv__ = __pow__ = __neg__ = _refused
    __hash__ = _refused  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        refuse("what the items add up to is read before the loop ends")
