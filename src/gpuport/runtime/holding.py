"""Arrays that objects hold, beside those that a call names: code of theirs may read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

_MOST = 10_000
"""Things that are looked into: who holds more is a database, or has no end."""
_PLAIN = (type(None), int, float, complex, str, bytes, np.generic, type, FunctionType, ModuleType)


def held_arrays(objects: Iterable[Any], kind: type) -> Iterator[tuple[Any, Any, Any]]:
    """Arrays of a kind in the attributes of objects, and of what these hold.

    Looks at what is stored and runs no code of theirs.

    Parameters
    ----------
    objects : iterable
    kind : type
        ``numpy.ndarray`` or ``cupy.ndarray``.

    Yields
    ------
    tuple of (object, name, array)
        Who holds it, and the attribute, key or index under which; None in a tuple or a set.
    """
    waiting = [*objects]
    seen: dict[int, Any] = {}  # keeps them, so that ids stay theirs
    while waiting and len(seen) < _MOST:
        one = waiting.pop()
        if id(one) in seen or issubclass(type(one), _PLAIN):
            continue
        seen[id(one)] = one
        for name, value in _held(one):
            if issubclass(type(value), kind):
                yield one, name, value
            else:
                waiting.append(value)


@contextmanager
def holding_copies(
    held: Sequence[tuple[Any, Any, Any]], copies: Mapping[int, Any]
) -> Iterator[None]:
    """Let owners hold the copies of their arrays, by the ids of these, until the end.

    What they were given meanwhile in the place of a copy they keep.
    """
    lent = [(*one, copies[id(one[2])]) for one in held if id(one[2]) in copies]
    try:
        for owner, name, _, copy in lent:
            _put(owner, name, copy)
        yield
    finally:
        for owner, name, array, copy in lent:
            if _get(owner, name) is copy:
                _put(owner, name, array)


def _get(owner: Any, name: Any) -> Any:
    with suppress(AttributeError, IndexError):
        if issubclass(type(owner), dict):
            return dict.get(owner, name)
        if issubclass(type(owner), list):
            return list.__getitem__(owner, name)
        return object.__getattribute__(owner, name or "")
    return None


def _put(owner: Any, name: Any, value: Any) -> None:
    if issubclass(type(owner), dict):
        dict.__setitem__(owner, name, value)
    elif issubclass(type(owner), list):
        list.__setitem__(owner, name, value)
    elif name is not None:
        object.__setattr__(owner, name, value)


def _held(one: Any) -> list[tuple[Any, Any]]:
    """What an object stores, with its names; copies, so that nobody changes it meanwhile."""
    cls = type(one)
    if issubclass(cls, dict):
        return list(dict.items(one))
    if issubclass(cls, list):
        return list(enumerate(list.__iter__(one)))
    if issubclass(cls, (tuple, set, frozenset)):
        return [(None, value) for value in one]
    try:
        found = list(object.__getattribute__(one, "__dict__").items())
    except AttributeError:
        found = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                found.append((name, object.__getattribute__(one, name)))
            except AttributeError:  # not bound, or mangled
                continue
    return found


__all__ = ["held_arrays", "holding_copies"]
