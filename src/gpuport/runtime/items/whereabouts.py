"""Where arrays are true, and the parts that one is cut into which is the same for all items."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.arithmetic import elementwise
from gpuport.runtime.items.indexing import picked
from gpuport.runtime.items.item import Operand, is_stack
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def _of_one(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, value: Any, *given: Any, **options: Any) -> Any:
        if not isinstance(value, Operand) or any(map(is_stack, (value, *given, *options.values()))):
            refuse(f"`{name}` of something that differs from item to item")
        plain = [trace.plain_index(one, on_host=True) for one in given]
        found = getattr(trace.cupy, name)(trace.data_of(value), *plain, **options)
        return tuple(map(trace.outer, found)) if isinstance(found, tuple) else trace.outer(found)

    return rule


def _true(trace: Trace, value: Any) -> list[Any]:
    """Of each axis the places where an item is true; items that are so at as many go one way."""
    if not value.ndim:
        refuse("the places where a number is true")
    return picked(trace, value if value.dtype.kind == "b" else value != 0)


def _joined(trace: Trace, value: Any) -> Any:
    return trace.call("numpy.stack", _true(trace, value), axis=1)


_PLACES: dict[str, Callable[[Trace, Any], Any]] = {
    "flatnonzero": lambda trace, value: _true(trace, trace.call("numpy.ravel", value))[0],
    "nonzero": lambda trace, value: tuple(_true(trace, value)),
    "argwhere": _joined,
}


def _places(name: str) -> Callable[..., Any]:
    same = _of_one(name)

    def rule(trace: Trace, value: Any) -> Any:
        return _PLACES[name](trace, value) if is_stack(value) else same(trace, value)

    return rule


def _where(trace: Trace, *given: Any, **options: Any) -> Any:
    if len(given) == 1 and not options:
        return WHEREABOUTS["nonzero"](trace, *given)
    return elementwise(trace, "where", *given, **options)


WHEREABOUTS: dict[str, Callable[..., Any]] = {
    **{name: _places(name) for name in _PLACES},
    **{name: _of_one(name) for name in ("array_split", "split", "vsplit", "hsplit")},
    "where": _where,
}

__all__ = ["WHEREABOUTS"]
