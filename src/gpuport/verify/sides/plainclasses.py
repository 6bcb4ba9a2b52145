"""Whether an instance of a class can be made and filled without code of the class being run."""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import typing
from collections.abc import Iterator
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

from gpuport.verify.sides.ownplaces import space_of

METACLASSES = (type, abc.ABCMeta, enum.EnumType, type(typing.Protocol))
_CONTAINERS: tuple[type, ...] = (
    dict, list, set, collections.OrderedDict, collections.defaultdict, collections.deque,
)  # fmt: skip
_VALUES: tuple[type, ...] = (tuple, frozenset, int, float, complex, str)
_BASES = (object, *_CONTAINERS, *_VALUES)
_NAMED: Any = vars(collections.namedtuple("_NAMED", "x"))["__getnewargs__"].__code__
_OF_DATACLASSES = getattr(dataclasses, "_dataclass_setstate", None)
_STATE = "__setstate__"
_OF_PYTHON = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: of a class that a ``class`` statement made, not one of C."""


def odd_part(cls: type) -> str | None:
    """What a class has of its own that would run when an instance is made or let go of."""
    if type(cls) not in METACLASSES:
        return "its metaclass"
    for base in _bases(cls):
        space = space_of(base)
        for name in ("__del__", "__getattribute__"):
            if name in space and base.__flags__ & _OF_PYTHON:
                return name
        plain = space.get("__dict__", None)
        if plain is not None and type(plain) is not GetSetDescriptorType:
            return "__dict__"
    return None if _makes_plainly(cls) else "__new__"


def odd_state(cls: type) -> str | None:
    """What a class has of its own that would run when it is given its state as pickled."""
    found = _first(cls, _STATE)
    return None if found is None or found is _OF_DATACLASSES else _STATE


def odd_filling(cls: type, name: str) -> str | None:
    """``append`` or ``__setitem__`` where it is the class's own."""
    owner = next((base for base in _bases(cls) if name in space_of(base)), None)
    return None if owner in _CONTAINERS else name


def takes_slot(cls: type, name: str) -> bool:
    """Whether a name is that of a slot, which is set without code."""
    return type(_first(cls, name)) is MemberDescriptorType


def takes_values(cls: type, count: int) -> bool:
    """Whether an instance is made of so many values alone: a named tuple, a number, a text."""
    owner = _maker(cls)
    if owner in _VALUES:
        return count <= 1 + (owner is complex)
    return count == 0 or (_is_named_tuple(owner) and count == len(space_of(owner)["_fields"]))


def method_of(cls: type, name: str) -> Any:
    """What stands in the class under a name; None where nothing does."""
    return _first(cls, name)


def _bases(cls: type) -> Iterator[type]:
    yield from type.__dict__["__mro__"].__get__(cls)


def _first(cls: type, name: str) -> Any:
    return next((space_of(b)[name] for b in _bases(cls) if name in space_of(b)), None)


def _maker(cls: type) -> type:
    return next(base for base in _bases(cls) if "__new__" in space_of(base))


def _makes_plainly(cls: type) -> bool:
    owner = _maker(cls)
    is_error = issubclass(owner, BaseException) and owner.__module__ == "builtins"
    return owner in _BASES or is_error or _is_named_tuple(owner)


def _is_named_tuple(owner: type) -> bool:
    """Whether a class is as `namedtuple` makes it: its ``__new__`` puts values into a tuple."""
    space = space_of(owner)
    args, new = space.get("__getnewargs__"), getattr(space.get("__new__"), "__func__", None)
    return (
        type(args) is FunctionType
        and args.__code__ is _NAMED
        and type(new) is FunctionType
        and str(new.__globals__.get("__name__", "")).startswith("namedtuple_")
        and isinstance(space.get("_fields"), tuple)
    )
