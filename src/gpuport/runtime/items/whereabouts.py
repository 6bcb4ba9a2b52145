"""Where an array that is the same for all items is true, and the parts that it is cut into."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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


WHEREABOUTS = {
    name: _of_one(name)
    for name in (
        "flatnonzero", "nonzero", "argwhere", "array_split", "split", "vsplit", "hsplit",
    )
}  # fmt: skip

__all__ = ["WHEREABOUTS"]
