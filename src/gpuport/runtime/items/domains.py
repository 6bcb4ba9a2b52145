"""What a loop goes over, when all of its iterations are run at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.containers import OuterDict, OuterList
from gpuport.runtime.items.item import Item
from gpuport.runtime.items.outside import OuterArray
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


class Domain:
    """Items to go over."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def __iter__(self) -> Iterator[Any]:
        return self.trace.over(self)

    def __len__(self) -> int:
        return self.length()

    def length(self) -> int:
        """How many there are."""
        raise NotImplementedError

    def lengths(self) -> Any:
        """How many there are, for each item of a loop around it."""
        return self.length()

    def take(self, places: Any) -> Any:
        """What stands for the items with these numbers."""
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        """The items one by one."""
        raise NotImplementedError


class Counted(Domain):
    """``range(start, stop, step)``."""

    def __init__(self, trace: Trace, *given: Any) -> None:
        super().__init__(trace)
        if not 1 <= len(given) <= 3:
            raise TypeError("range expected 1 to 3 arguments")
        self.start, self.stop = (0, given[0]) if len(given) == 1 else given[:2]
        self.step = given[2].__index__() if len(given) == 3 else 1

    def _range(self) -> range:
        return range(self.start.__index__(), self.stop.__index__(), self.step)

    def length(self) -> int:
        return len(self._range())

    def lengths(self) -> Any:
        if not isinstance(self.start, Item) and not isinstance(self.stop, Item):
            return self.length()
        begin, end = (_numbers(one) for one in (self.start, self.stop))
        return np.maximum(0, -((begin - end) // self.step))

    def take(self, places: Any) -> Any:
        begin = _numbers(self.start)
        return Item(self.trace, known=begin + places * self.step, weak="int", on_host=True)

    def values(self) -> Iterator[Any]:
        return iter(self._range())

    def __getitem__(self, index: Any) -> Any:
        return self._range()[index]

    def __contains__(self, value: Any) -> bool:
        return value.__index__() in self._range()


def _numbers(end: Any) -> Any:
    if not isinstance(end, Item):
        return np.asarray(end.__index__())
    if end.ndim or end.dtype.kind not in "iu":
        raise TypeError("object cannot be interpreted as an integer")
    return end.numbers()


class Rows(Domain):
    """An array from outside, along its first axis."""

    def __init__(self, trace: Trace, array: OuterArray) -> None:
        super().__init__(trace)
        self.array = array

    def length(self) -> int:
        return len(self.array)

    def take(self, places: Any) -> Any:
        return self.array[Item(self.trace, known=places, weak="int")]

    def values(self) -> Iterator[Any]:
        return iter([self.array[k] for k in range(len(self.array))])


class Listed(Domain):
    """A list from outside."""

    def __init__(self, trace: Trace, listed: OuterList) -> None:
        super().__init__(trace)
        self.listed = listed

    def length(self) -> int:
        return len(self.listed)

    def take(self, places: Any) -> Any:
        self.listed.is_read = True
        return self.trace.each([self.listed.items[k] for k in places])

    def values(self) -> Iterator[Any]:
        return iter([self.listed[k] for k in range(len(self.listed))])


class Zipped(Domain):
    """``zip(...)``."""

    def __init__(self, trace: Trace, *given: Any, strict: bool = False) -> None:
        super().__init__(trace)
        self.given = given
        self.strict = strict

    def _parts(self) -> list[Domain]:
        found = [domain_of(self.trace, one) for one in self.given]
        if not found or None in found:
            refuse("`zip` of something that is not known")
        return found  # type: ignore[return-value]

    def length(self) -> int:
        lengths = [one.length() for one in self._parts()]
        if self.strict and len(set(lengths)) > 1:
            raise ValueError("zip() arguments have several lengths")
        return min(lengths)

    def take(self, places: Any) -> Any:
        return tuple(one.take(places) for one in self._parts())

    def values(self) -> Iterator[Any]:
        return zip(*self.given, strict=self.strict)


class Numbered(Domain):
    """``enumerate(...)``."""

    def __init__(self, trace: Trace, given: Any, start: Any = 0) -> None:
        super().__init__(trace)
        self.given = given
        self.start = start

    def _inner(self) -> Domain:
        found = domain_of(self.trace, self.given)
        if found is None:
            refuse("`enumerate` of something that is not known")
        return found

    def length(self) -> int:
        return self._inner().length()

    def take(self, places: Any) -> Any:
        number = Item(self.trace, known=self.start.__index__() + places, weak="int", on_host=True)
        return number, self._inner().take(places)

    def values(self) -> Iterator[Any]:
        found: Iterator[Any] = enumerate(self.given, self.start)
        return found


class Backwards(Domain):
    """``reversed(...)``."""

    def __init__(self, trace: Trace, given: Any) -> None:
        super().__init__(trace)
        self.given = given

    def _inner(self) -> Domain:
        found = domain_of(self.trace, self.given)
        if found is None:
            refuse("`reversed` of something that is not known")
        return found

    def length(self) -> int:
        return self._inner().length()

    def take(self, places: Any) -> Any:
        return self._inner().take(self.length() - 1 - places)

    def values(self) -> Iterator[Any]:
        return iter(list(self.given)[::-1])


class Mapped(Domain):
    """``map(function, ...)``."""

    def __init__(self, trace: Trace, function: Any, *given: Any) -> None:
        super().__init__(trace)
        self.function = function
        self.given = Zipped(trace, *given)

    def length(self) -> int:
        return self.given.length()

    def take(self, places: Any) -> Any:
        return self.function(*self.given.take(places))

    def values(self) -> Iterator[Any]:
        return map(self.function, *self.given.given)


class Grid(Domain):
    """``itertools.product(...)`` and ``numpy.ndindex(...)``."""

    def __init__(self, trace: Trace, *given: Any) -> None:
        super().__init__(trace)
        self.given = given

    def _parts(self) -> list[Domain]:
        found = [domain_of(self.trace, one) for one in self.given]
        if not found or None in found:
            refuse("`product` of something that is not known")
        return found  # type: ignore[return-value]

    def length(self) -> int:
        return int(np.prod([one.length() for one in self._parts()]))

    def take(self, places: Any) -> Any:
        parts = self._parts()
        numbers = np.unravel_index(places, [one.length() for one in parts])
        return tuple(one.take(each) for one, each in zip(parts, numbers, strict=True))

    def values(self) -> Iterator[Any]:
        refuse("`product` inside of a loop")


def domain_of(trace: Trace, source: Any) -> Domain | None:
    """Something as what a loop goes over; None where it is nothing of the kind."""
    if isinstance(source, Domain):
        return source
    if isinstance(source, OuterArray):
        return Rows(trace, source)
    if isinstance(source, OuterList):
        return Listed(trace, source)
    if isinstance(source, OuterDict):
        return Listed(trace, OuterList(trace, list(source.stored)))
    if isinstance(source, (list, tuple, str)) and trace.entered < trace.axes:
        return Listed(trace, OuterList(trace, list(source)))
    return None
