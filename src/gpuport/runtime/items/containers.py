"""Lists, dicts and objects that were there before the loop, and what differs from item to item."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.effects import Append, Put
from gpuport.runtime.items.item import Item
from gpuport.runtime.items.signals import NotCompared, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


class _Container(NotCompared):
    """What may be read, or changed, but not both: an item may find what another one leaves."""

    trace: Trace
    is_read = False

    def _read(self) -> None:
        self.is_read = True
        if any(getattr(one, "target", None) is self for one in self.trace.effects):
            refuse("a list, or dict, is read while it grows")

    def _changed(self, effect: Any) -> None:
        if self.is_read:
            refuse("a list, or dict, is read while it grows")
        self.trace.note(effect)


class OuterList(_Container):
    """A list, or tuple, from outside of the loop."""

    def __init__(self, trace: Trace, items: list[Any] | tuple[Any, ...]) -> None:
        self.trace = trace
        self.items = items
        self.stored = items

    def __len__(self) -> int:
        self._read()
        return len(self.items)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[Any]:
        self._read()
        return self.trace.over(self)

    def __getitem__(self, index: Any) -> Any:
        self._read()
        if not isinstance(index, Item):
            found = self.items[index]
            return self.trace.outer(found)
        numbers = index.numbers()
        if index.ndim or numbers.dtype.kind not in "iu":
            raise TypeError("list indices must be integers or slices")
        return self.trace.each([self.items[k] for k in numbers])

    def __contains__(self, value: Any) -> bool:
        refuse("whether a list has a value")

    def append(self, value: Any) -> None:
        if not isinstance(self.items, list):
            raise AttributeError("append")
        self._changed(Append(self, value))

    def __iadd__(self, values: Any) -> OuterList:
        if not isinstance(values, (list, tuple)):
            refuse("a list grows by something that is no list")
        for one in values:
            self.append(one)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(self.items, list) or not isinstance(index, Item):
            refuse("all items store at the same place of a list")
        numbers = index.numbers()
        if ((numbers < -len(self.items)) | (numbers >= len(self.items))).any():
            raise IndexError("list assignment index out of range")
        self._changed(Put(self, (numbers % len(self.items)).tolist(), value))

    def __getattr__(self, name: str) -> Any:
        refuse(f"`{name}` of a list")


def is_listed(value: Any) -> bool:
    """Whether something is a list or tuple, of the loop's or from before it."""
    return isinstance(value, (list, tuple, OuterList))


def plain_list(value: Any) -> Any:
    """A list or tuple from before the loop as one of the loop's, with all that it holds."""
    if isinstance(value, OuterList):
        return [plain_list(value[k]) for k in range(len(value))]
    return [plain_list(one) for one in value] if isinstance(value, (list, tuple)) else value


class Columns(list[Any]):
    """A list of each item, from outside of the loop: what it holds, which stays as it is."""

    def _refused(self, *given: Any, **named: Any) -> Any:
        refuse("a list of an item is changed")

    append = extend = insert = remove = pop = clear = sort = reverse = _refused
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refused


class OuterDict(_Container):
    """A dict from outside of the loop."""

    def __init__(self, trace: Trace, entries: dict[Any, Any]) -> None:
        self.trace = trace
        self.entries = entries
        self.stored = entries

    def __getitem__(self, key: Any) -> Any:
        self._read()
        keys = self.trace.keys_of(key)
        if keys is None:
            return self.trace.outer(self.entries[key])
        return self.trace.each([self.entries[one] for one in keys])

    def __setitem__(self, key: Any, value: Any) -> None:
        keys = self.trace.keys_of(key)
        if keys is None:
            refuse("all items store under the same key")
        self._changed(Put(self, keys, value))

    def __len__(self) -> int:
        self._read()
        return len(self.entries)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[Any]:
        self._read()
        return self.trace.over(OuterList(self.trace, list(self.entries)))

    def __contains__(self, key: Any) -> bool:
        if self.trace.keys_of(key) is not None:
            refuse("whether a dict has the key of an item")
        self._read()
        return key in self.entries

    def items(self) -> Any:
        """Pairs."""
        self._read()
        return OuterList(self.trace, list(self.entries.items()))

    def keys(self) -> Any:
        """Keys."""
        self._read()
        return OuterList(self.trace, list(self.entries))

    def values(self) -> Any:
        """Values."""
        self._read()
        return OuterList(self.trace, list(self.entries.values()))

    def __getattr__(self, name: str) -> Any:
        refuse(f"`{name}` of a dict")


class OuterObject(NotCompared):
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

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __bool__ = __len__ = __iter__ = __str__ = __repr__ = __format__ = _refused
    __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __call__ = __contains__ = _refused


def each_of(objects: Objects) -> list[Any]:
    """Of each item its own."""
    found: list[Any] = object.__getattribute__(objects, "_gp")[1]
    return found
