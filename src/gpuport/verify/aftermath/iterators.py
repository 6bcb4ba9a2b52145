"""What iterators give, as a list that can be compared, and what generators return behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

_GENERATED = 1000


class Consumed(list[Any]):
    """Items of an iterator as they came, which kind it was, and the objects ``handed`` out.

    ``returned`` is what a generator gives at its end, to a ``yield from``.
    """

    consumed: str = ""
    handed: list[Any]
    returned: Any = None


def consumed(value: Any, between: Callable[[], None] | None = None) -> Any:
    """The items of a generator or another iterator as a list, so that they can be compared.

    `between` is called once the first of them is there, as a caller may do something then.
    """
    if not hasattr(value, "__next__") or hasattr(value, "read") or isinstance(value, np.ndarray):
        return value
    return kept_items(type(value).__qualname__, value, between)


def kept_items(
    kind: str, source: Iterable[Any], between: Callable[[], None] | None = None
) -> list[Any]:
    """Items as they come, each with the values that it has then; `between` as for `consumed`."""
    items = Consumed()
    items.consumed, items.handed = kind, []
    for item in _to_the_end(source, items):
        items.handed.append(item)
        items.append(_as_it_is(item))
        if len(items) == 1 and between is not None:
            between()
        if len(items) >= _GENERATED:
            items.consumed += ", cut off"
            break
    return items


def _to_the_end(source: Iterable[Any], items: Consumed) -> Iterator[Any]:
    """The items of a source; what a generator returns behind them is kept."""
    left = iter(source)
    while True:
        try:
            item = next(left)
        except StopIteration as end:
            items.returned = end.value
            return
        yield item


def _as_it_is(item: Any) -> Any:
    """An item that keeps its values when the generator goes on and changes what it gave."""
    if isinstance(item, tuple) and hasattr(item, "_make"):
        return item._make(map(_as_it_is, item))
    if type(item) in (list, tuple):
        return type(item)(map(_as_it_is, item))
    # a CuPy array has this as well
    return item.copy() if hasattr(item, "__array_priority__") else item
