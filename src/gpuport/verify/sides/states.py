"""What an instance holds: the attributes of its dictionary, and those of its slots."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cache
from types import MemberDescriptorType, ModuleType
from typing import Any

import numpy as np


class _Attributes(MutableMapping[str, Any]):
    """The attributes of an instance with slots, to read and to set; a frozen one's as well."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance
        self._names = slots_of(type(instance))

    def __getitem__(self, name: str) -> Any:
        if name in self._names or name in self._held:
            return getattr(self._instance, name)
        raise KeyError(name)

    def __setitem__(self, name: str, value: Any) -> None:
        object.__setattr__(self._instance, name, value)

    def __delitem__(self, name: str) -> None:
        object.__delattr__(self._instance, name)

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._names if hasattr(self._instance, name))
        yield from self._held

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def _held(self) -> dict[str, Any]:
        held = getattr(self._instance, "__dict__", {})
        return held if isinstance(held, dict) else {}


def slots_of(kind: type) -> tuple[str, ...]:
    """Names of the attributes that a class written in Python keeps without a dictionary."""
    return _slots_of(kind)


@cache
def _slots_of(kind: type) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for base in kind.__mro__:
        if "__slots__" in vars(base):
            members = ((n, v) for n, v in vars(base).items() if isinstance(v, MemberDescriptorType))
            found |= {name: None for name, _ in members}
    return tuple(found)


def state_of(value: Any) -> MutableMapping[str, Any] | None:
    """The attributes of an instance; None for functions, classes, modules, arrays and plain values.

    What is set in it is set in the instance.
    """
    if isinstance(value, type | ModuleType | np.ndarray | np.generic) or hasattr(value, "__code__"):
        return None
    if hasattr(type(value), "__cuda_array_interface__"):
        return None  # an array of the device
    if slots_of(type(value)):
        return _Attributes(value)
    state = getattr(value, "__dict__", None)
    return state if isinstance(state, dict) else None


__all__ = ["slots_of", "state_of"]
