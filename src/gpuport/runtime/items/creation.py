"""Arrays that an iteration makes for itself, and copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.arithmetic import weak_kind
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def _plain(value: Any) -> Any:
    """Sizes and numbers, the same for all items."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(_plain, value))
    return value.__index__() if isinstance(value, Operand) else value


def _made(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, *given: Any, **options: Any) -> Any:
        if options.keys() - {"dtype", "k", "M", "N", "shape", "num", "endpoint"}:
            refuse(f"`{name}` in this form")
        sizes = [_plain(one) for one in given]
        named = {key: _plain(one) for key, one in options.items()}
        return Item(trace, getattr(trace.cupy, name)(*sizes, **named), stacked=False)

    return rule


def _spaced(
    trace: Trace, start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None
) -> Any:
    """``numpy.linspace``, between ends of each item."""
    count = _plain(num)
    if not is_stack(start) and not is_stack(stop):
        given = [trace.plain(one) for one in (start, stop)]
        return Item(trace, trace.cupy.linspace(*given, count, endpoint, dtype=dtype), stacked=False)
    if dtype is not None or count < 2 or any(getattr(one, "ndim", 0) for one in (start, stop)):
        refuse("`linspace` in this form")
    whole = [
        trace.call("numpy.asarray", one) * 1.0 if isinstance(one, Operand) else np.float64(one)
        for one in (start, stop)
    ]
    kind = np.result_type(*(one.dtype for one in whole))
    step = (whole[1] - whole[0]) / (count - 1 if endpoint else count)
    found = trace.call("numpy.arange", count, dtype=kind) * step + whole[0]
    if endpoint:
        found[count - 1] = whole[1]
    return found


def _counted(trace: Trace, *given: Any, **options: Any) -> Any:
    """``numpy.arange``: the numbers stay on the host too, where they may be places."""
    if options.keys() - {"dtype"}:
        refuse("`arange` in this form")
    known = np.arange(*map(_plain, given), **options)
    return Item(trace, known=known, stacked=False)


def _full(trace: Trace, shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    sizes = _plain(shape)
    if is_stack(fill_value):
        if fill_value.ndim:
            refuse("`full` of an array")
        sizes = sizes if isinstance(sizes, (tuple, list)) else (sizes,)
        wanted = fill_value.dtype if dtype is None else np.dtype(dtype)
        found = trace.cupy.empty((trace.count, *sizes), wanted)
        found[...] = trace.aligned(fill_value, len(sizes))
        return Item(trace, found)
    return Item(trace, trace.cupy.full(sizes, trace.plain(fill_value), dtype), stacked=False)


def _like(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, prototype: Any, *given: Any, **options: Any) -> Any:
        if options.keys() - {"dtype"} or not isinstance(prototype, Operand):
            refuse(f"`{name}` in this form")
        wanted = options.get("dtype") or prototype.dtype
        whole = name.removesuffix("_like")
        found = getattr(trace.cupy, whole)(prototype.shape, *map(trace.plain, given), dtype=wanted)
        return Item(trace, found, stacked=False)

    return rule


def _copied(trace: Trace, value: Any, order: str = "C") -> Any:
    if not isinstance(value, Operand):
        refuse("a copy of something that is no array")
    stacked = is_stack(value)
    if getattr(value, "known", None) is not None:
        known = np.array(value.known)
        return Item(trace, known=known, stacked=stacked, on_host=value.on_host)
    return Item(trace, trace.data_of(value).copy(), stacked=stacked, on_host=value.on_host)


def _astype(trace: Trace, value: Any, dtype: Any, copy: bool = True) -> Any:
    stacked = is_stack(value)
    if getattr(value, "known", None) is not None:
        known = value.known.astype(dtype)
        return Item(trace, known=known, stacked=stacked, on_host=value.on_host)
    return Item(trace, trace.data_of(value).astype(dtype), stacked=stacked, on_host=value.on_host)


def _single(trace: Trace, value: Any) -> Any:
    """``x.item()``: Python's number."""
    if value.size != 1 or value.dtype.kind not in "biuf":
        refuse("`item` of something that is no real number")
    kind = {"b": "bool", "i": "int", "u": "int", "f": "float"}[value.dtype.kind]
    if weak_kind(value):
        return value
    flat = value.numbers().reshape(-1) if isinstance(value, Item) else None
    if flat is None or len(flat) != trace.count:
        refuse("`item` of what is the same for all items")
    dtype = {"bool": "?", "int": "q", "float": "d"}[kind]
    return Item(trace, known=flat.astype(dtype), weak=kind, on_host=True)


def _filled(trace: Trace, value: Any, number: Any) -> None:
    value[...] = number


def _to_host(trace: Trace, value: Any) -> Any:
    """``cupy.asnumpy``."""
    if not isinstance(value, Operand):
        return value
    stacked = is_stack(value)
    return Item(trace, trace.data_of(value), stacked=stacked, on_host=True)


CREATIONS: dict[str, Callable[..., Any]] = {
    **{name: _made(name) for name in ("zeros", "ones", "empty", "eye", "identity")},
    "linspace": _spaced,
    "arange": _counted,
    "full": _full,
    **{name: _like(name) for name in ("zeros_like", "ones_like", "empty_like", "full_like")},
    "copy": _copied,
    "asnumpy": _to_host,
}

CREATIONS_OF_METHODS: dict[str, Callable[..., Any]] = {
    "copy": _copied,
    "astype": _astype,
    "item": _single,
    "fill": _filled,
}
