"""Where an array that is the same for all items is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.item import Operand, is_stack
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def _where_true(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, value: Any) -> Any:
        if not isinstance(value, Operand) or (is_stack(value)):
            refuse(f"`{name}` of something that differs from item to item")
        found = getattr(trace.cupy, name)(trace.data_of(value))
        return tuple(map(trace.outer, found)) if isinstance(found, tuple) else trace.outer(found)

    return rule


WHEREABOUTS = {name: _where_true(name) for name in ("flatnonzero", "nonzero", "argwhere")}

__all__ = ["WHEREABOUTS"]
