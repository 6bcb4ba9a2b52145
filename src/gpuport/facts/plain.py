"""What values are that hold no arrays and no objects: numbers, texts, and tuples of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from gpuport.ir.types import Type, join_all

Plain = str | tuple["Plain", ...]
"""``int``, ``float``, ``bool``, ``complex``, ``number`` (one of the first two), ``str``;
``numpy.float64`` and so on of NumPy's numbers, ``numpy.`` where it may be either's; or a tuple of
what is known of its items."""

Key = TypeVar("Key", bound=Hashable)

_REAL = frozenset({("number", "int"), ("number", "float")})
_NUMBERS = frozenset({"int", "float", "bool", "complex"})


def all_plain(seen: Mapping[Key, Iterable[Type]]) -> dict[Key, Plain]:
    """What values of these types are, of those that are nothing else."""
    joined = ((key, join_all(types)) for key, types in seen.items())
    found = ((key, _of(t)) for key, t in joined if t is not None)
    return {key: one for key, one in found if one is not None}


def _of(t: Type) -> Plain | None:
    if any(one.about == "type" for one in t.assumed):  # by its name: it may be an array
        return None
    if t.kind == "string":
        return "str"
    if t.kind == "number":
        return t.dtype if t.dtype in _NUMBERS else "number"
    if t.kind == "numeric" and t.items and {(one.kind, one.dtype) for one in t.items} <= _REAL:
        return "number"
    if t.kind in ("scalar", "numeric"):
        return f"numpy.{t.dtype if t.kind == 'scalar' and t.dtype else ''}"
    if t.kind != "tuple" or not t.items:
        return None
    items = [_of(one) for one in t.items]
    known = [one for one in items if one is not None]
    return tuple(known) if len(known) == len(items) else None


__all__ = ["Plain", "all_plain"]
