"""Which threads are inside a fused function; ufuncs and a few functions ask before they work."""

from __future__ import annotations

from threading import get_ident
from typing import Any

TRACES: dict[int, Any] = {}
"""The running trace of each thread; empty, and quick to ask, but for calls of ``cupy.fuse``."""


def current() -> Any:
    """The trace that this thread is in, or None."""
    return TRACES.get(get_ident())


FUSIBLE = frozenset(
    {"sum", "prod", "max", "min", "amax", "amin", "all", "any", "nansum", "nanprod"}
    | {"where", "clip", "around", "round", "real", "imag", "copy", "copyto"}
)
"""Functions that are no ufuncs and ask whether they are fused; source: ``is_fusing`` in CuPy 14."""
REDUCTIONS = frozenset({"sum", "prod", "max", "min", "amax", "amin", "all", "any"}) | {
    "nansum",
    "nanprod",
}


def fusible(function: Any, name: str) -> Any:
    """The function `name`, which lets a running trace take its place."""
    from functools import wraps

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        trace = TRACES and current()
        if trace:
            return trace.function(name, function, args, kwargs)
        return function(*args, **kwargs)

    return call
