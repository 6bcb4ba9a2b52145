"""Claims about values as data that can be sent and kept, and back."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any

from gpuport.analysis.values import lattice

_CLAIMS: dict[str, type[Any]] = {
    one.__name__: one
    for one in (
        lattice.Unknown, lattice.Scalar, lattice.Array, lattice.Number, lattice.Either,
        lattice.Sequence, lattice.Tuple, lattice.Mapping, lattice.Instance, lattice.Object,
    )
}  # fmt: skip
_NAMES: dict[type, str] = {one: name for name, one in _CLAIMS.items()}
_EXACT = 2**63
"""Larger whole numbers are sent in hexadecimal: their decimal digits may be too many."""


class NotData(Exception):
    """Something that cannot be sent."""


def encoded(value: Any) -> Any:
    """A claim, or what one is made of, as JSON has it.

    Raises
    ------
    NotData
        For an object that is no data.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < _EXACT else {"hex": hex(value)}
    if isinstance(value, float):
        return {"float": value.hex()}
    if value.__class__ in _NAMES:
        given = {f: encoded(getattr(value, f)) for f, usual in _fields(_NAMES[value.__class__])
                 if (held := getattr(value, f)) is not usual and held != usual}  # fmt: skip
        return {_NAMES[value.__class__]: given}
    encode = _OTHERS.get(value.__class__)
    if encode is None and isinstance(value, type):
        encode = _type
    if encode is None:
        raise NotData(type(value).__name__)
    return encode(value)


def decoded(data: Any) -> Any:
    """What was encoded.

    Raises
    ------
    NotData
        For what `encoded` does not make.
    """
    if isinstance(data, list):
        return tuple(map(decoded, data))
    if not isinstance(data, dict):
        return data
    if len(data) != 1:
        raise NotData(str(data)[:80])
    ((kind, held),) = data.items()
    if kind in _CLAIMS:
        return _CLAIMS[kind](**{name: decoded(one) for name, one in held.items()})
    if kind not in _DECODERS:
        raise NotData(kind)
    return _DECODERS[kind](held)


@lru_cache(maxsize=16)
def _fields(claim: str) -> tuple[tuple[str, object], ...]:
    return tuple((field.name, field.default) for field in fields(_CLAIMS[claim]))


def _type(value: type) -> dict[str, str]:
    if value.__module__ not in ("numpy", "builtins"):
        raise NotData(str(value))
    return {"type": f"{value.__module__}.{value.__name__}"}


def _type_named(path: str) -> type:
    module, _, name = path.partition(".")
    if module == "numpy":
        import numpy as np

        found = getattr(np, name, None)
    else:
        found = getattr(builtins, name, None)
    if not isinstance(found, type):
        raise NotData(path)
    return found


_OTHERS: dict[type, Callable[[Any], Any]] = {
    tuple: lambda value: [encoded(one) for one in value],
    frozenset: lambda value: {"set": sorted(value)},
    complex: lambda value: {"complex": [value.real.hex(), value.imag.hex()]},
    bytes: lambda value: {"bytes": value.hex()},
    type(...): lambda _: {"ellipsis": None},
}
_DECODERS: dict[str, Callable[[Any], Any]] = {
    "hex": lambda held: int(held, 16),
    "float": float.fromhex,
    "set": frozenset,
    "complex": lambda held: complex(*map(float.fromhex, held)),
    "bytes": bytes.fromhex,
    "ellipsis": lambda _: ...,
    "type": _type_named,
}

__all__ = ["NotData", "decoded", "encoded"]
