"""Which threads are inside a fused function; ufuncs and a few functions ask before they work."""

from __future__ import annotations

from threading import get_ident
from typing import Any

TRACES: dict[int, Any] = {}
"""The running trace of each thread; empty, and quick to ask, but for calls of ``cupy.fuse``."""


def current() -> Any:
    """The trace that this thread is in, or None."""
    return TRACES.get(get_ident())


REDUCTIONS = frozenset(
    {"sum", "prod", "max", "min", "amax", "amin", "all", "any", "nansum", "nanprod"}
)
FUSIBLE = REDUCTIONS | {"where", "clip", "around", "round", "real", "imag", "copy", "copyto"}
"""Functions that are no ufuncs and ask whether they are fused; source: ``is_fusing`` in CuPy 14."""


def fusible(function: Any, qualified: str) -> Any:
    """A function of CuPy; where it is fusible, one that lets a running trace take its place."""
    from functools import wraps

    module, _, name = qualified.rpartition(".")
    if module != "cupy" or name not in FUSIBLE:
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        trace = TRACES and current()
        if trace:
            return trace.function(name, function, args, kwargs)
        return function(*args, **kwargs)

    return call
