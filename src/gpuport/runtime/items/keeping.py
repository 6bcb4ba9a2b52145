"""What is kept of the values of a loop after its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.containers import Objects, each_of
from gpuport.runtime.items.item import Item, Operand
from gpuport.runtime.items.outside import OuterArray
from gpuport.runtime.items.parts import Part
from gpuport.runtime.items.signals import Unbatched, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def split_up(trace: Trace, value: Any, *, hosted: bool = False) -> list[Any]:
    """Of each item its value; `hosted`: as one of NumPy's."""
    if isinstance(value, Objects):
        return list(each_of(value))
    if isinstance(value, tuple):
        make = getattr(type(value), "_make", tuple)
        parts = [split_up(trace, one, hosted=hosted) for one in value]
        return [make(row) for row in zip(*parts, strict=True)] or [value] * trace.count
    if isinstance(value, list):
        parts = [split_up(trace, one, hosted=hosted) for one in value]
        return [list(row) for row in zip(*parts, strict=True)] or [[] for _ in range(trace.count)]
    if type(value) is dict:
        return _dicts(trace, value, hosted=hosted)
    if isinstance(value, Item):
        return _items(trace, value, hosted=hosted)
    if isinstance(value, OuterArray):
        return [value.array] * trace.count
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        return [value] * trace.count
    raise Unbatched(f"a {type(value).__name__} is kept of each item")


def _dicts(trace: Trace, value: dict[Any, Any], *, hosted: bool) -> list[Any]:
    """Of each item a dict of its own."""
    made: list[dict[Any, Any]] = [{} for _ in range(trace.count)]
    for key, one in value.items():
        keys = trace.keys_of(key)
        each = split_up(trace, one, hosted=hosted)
        for k, (target, part) in enumerate(zip(made, each, strict=True)):
            target[key if keys is None else keys[k]] = part
    return made


def _items(trace: Trace, value: Item, *, hosted: bool) -> list[Any]:
    if value.weak:
        found: list[Any] = value.numbers().tolist()
        return found
    if not value.ndim:  # numbers of NumPy's are on the host: they cross at once
        return list(value.numbers())
    if value.origin is not None and not (hosted and not value.on_host):
        views = views_of(trace, value)
        if views is not None:
            return views
    if value.on_host or hosted:
        if value.stacked:
            return list(value.numbers())
        return [trace.cupy.asnumpy(value.data) for _ in range(trace.count)]
    return list(value.data) if value.stacked else [value.data.copy() for _ in range(trace.count)]


def views_of(trace: Trace, value: Item) -> list[Any] | None:
    """Of each item its part of an array from outside, a view as NumPy's is; None where it is none.

    Raises
    ------
    Unbatched
        Where there is no telling the view of each item.
    """
    if isinstance(value, Part):
        if not value.where.is_view:
            return None
        return [value.array.array[_of_item(value.index, k)] for k in range(trace.count)]
    array: Any = value
    while isinstance(array, Item):
        array = array.array if isinstance(array, Part) else array.origin
    data = value.numbers() if value.on_host else value.data
    if not (np if value.on_host else trace.cupy).may_share_memory(data, array.array):
        refuse("a part of an array from outside is kept of each item")
    return list(data) if value.stacked else [data] * trace.count


def _of_item(index: Any, place: int) -> Any:
    """What an item has between the brackets."""
    if isinstance(index, tuple):
        return tuple(_of_item(one, place) for one in index)
    if isinstance(index, slice):
        ends = (index.start, index.stop, index.step)
        return slice(*(_of_item(one, place) for one in ends))
    return index.numbers()[place].item() if isinstance(index, Operand) else index


__all__ = ["split_up", "views_of"]
