"""Numbers that objects store, read without running any code of theirs.

A property may compute a number of the very arrays that a loop changes: only what is stored is the
same before the loop and in each of its iterations.
"""

from __future__ import annotations

import re
import sys
from collections import namedtuple
from collections.abc import Mapping
from types import GetSetDescriptorType, MemberDescriptorType, SimpleNamespace
from typing import Any

import numpy as np

_Spaces = tuple[dict[str, Any], list[Mapping[str, Any]]]
Path = tuple[tuple[bool, str | int], ...]
"""From an object to what it stores: whether each step is an entry, ``["k"]`` or ``[0]``, and its
name or place."""

PATH = r"(?:\.[A-Za-z_]\w*|\[(?:'\w+'|\"\w+\"|-?\d+)\])+"
"""``.grid.dx``, ``["dx"]`` or ``[0]``, behind a name."""

_STEP = re.compile(r"\.(\w+)|\[['\"](\w+)['\"]\]|\[(-?\d+)\]")
_SLOTS = (MemberDescriptorType, type(namedtuple("_One", "field").__dict__["field"]))
_PLAIN_LOOKUP = frozenset({object, tuple, list, dict, SimpleNamespace})
"""Types with a ``__getattribute__`` of their own that does what that of `object` does."""

_OF_INSTANCES = (GetSetDescriptorType, MemberDescriptorType)
"""What gives the ``__dict__`` of an instance."""
_NUMBERS = (float, int, bool, complex)

_bases = type.__dict__["__mro__"].__get__
_names = type.__dict__["__dict__"].__get__
_own = object.__getattribute__


class NotStored:
    """What stands for a number that an object does not store."""


NOT_STORED = NotStored()


def path_of(text: str) -> Path:
    """The steps of ``.grid.dx`` or ``["dx"]``."""
    return tuple(
        (not found[1], found[1] or found[2] or int(found[3])) for found in _STEP.finditer(text)
    )


def same_path(root: str, path: Path) -> re.Pattern[str]:
    """Finds it in a text, in quotes of either kind."""
    return re.compile(rf"(?<![\w.]){root}{''.join(_written(*step) for step in path)}")


def _written(entry: bool, name: str | int) -> str:
    """A pattern for one step."""
    if not entry:
        return rf"\.{name}\b"
    quoted = name if isinstance(name, int) else f"(?:'{name}'|\"{name}\")"
    return rf"\s*\[\s*{quoted}\s*\]"


def stored_in(owner: Any, paths: tuple[Path, ...]) -> list[Any]:
    """What an object stores under paths; `NOT_STORED` for what it may compute, or has not."""
    found = []
    spaces: dict[int, _Spaces | None] = {}
    for path in paths:
        value = owner
        for entry, name in path:
            if entry or isinstance(name, int):
                value = _entry(value, name)
                continue
            if name == "shape" and _is_array(value):
                value = tuple(value.shape)
                continue
            if id(value) not in spaces:
                spaces[id(value)] = _spaces_of(value)
            there = spaces[id(value)]
            value = NOT_STORED if there is None else _attribute(value, there, name)
        found.append(value)
    return found


def _is_array(value: Any) -> bool:
    """Whether the shape of a value is one that nobody computes."""
    cupy = sys.modules.get("cupy")
    return type(value) in (np.ndarray, getattr(cupy, "ndarray", np.ndarray))


def _entry(value: Any, name: str | int) -> Any:
    """An item of a tuple, or what a dictionary has under a key."""
    if isinstance(name, str):
        return value.get(name, NOT_STORED) if type(value) is dict else NOT_STORED
    there = type(value) is tuple and -len(value) <= name < len(value)
    return value[name] if there else NOT_STORED


def _spaces_of(owner: Any) -> _Spaces | None:
    """Where attributes are looked for: in the instance, and in its classes; None for a lookup of
    another kind.
    """
    classes = []
    for base in _bases(type(owner)):
        names = _names(base)
        if "__getattribute__" in names and base not in _PLAIN_LOOKUP:
            return None
        if "__dict__" in names and type(names["__dict__"]) not in _OF_INSTANCES:
            return None
        classes.append(names)
    try:
        return _own(owner, "__dict__"), classes
    except AttributeError:  # nothing but slots
        return {}, classes


def _attribute(owner: Any, spaces: _Spaces, name: str) -> Any:
    """As `object.__getattribute__` finds it, but for what would run code."""
    own, classes = spaces
    for names in classes:
        if name in names:
            break
    else:
        return dict.get(own, name, NOT_STORED)
    of_class = names[name]
    kind = type(of_class)
    if kind in _NUMBERS:
        return dict.get(own, name, of_class)
    if kind in _SLOTS:
        try:
            return kind.__get__(of_class, owner, type(owner))
        except AttributeError:  # nothing is in it
            return NOT_STORED
    if _has(kind, "__set__") or _has(kind, "__delete__"):
        return NOT_STORED
    return dict.get(own, name, NOT_STORED if _has(kind, "__get__") else of_class)


def _has(kind: type, method: str) -> bool:
    return any(method in _names(base) for base in _bases(kind))


__all__ = ["NOT_STORED", "PATH", "NotStored", "Path", "path_of", "same_path", "stored_in"]
