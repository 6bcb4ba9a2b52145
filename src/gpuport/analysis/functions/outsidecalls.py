"""Functions of libraries: they change none of a program's objects that they are not given."""

from __future__ import annotations

from gpuport.rules.libraries import library_of

_MODULES = frozenset({"builtins", "math", "random"})
_REACHING_IN = frozenset(
    f"builtins.{name}" for name in ("setattr", "delattr", "exec", "eval", "next", "map", "filter")
)
"""Those that store in what they are given, or run code of the program."""


def stays_outside(path: str) -> bool:
    """Whether a function, by its resolved name, is none of the program and runs none of it."""
    if path in _REACHING_IN:
        return False
    return library_of(path) is not None or path.partition(".")[0] in _MODULES


__all__ = ["stays_outside"]
