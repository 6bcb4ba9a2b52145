"""The methods of the array class as one version of CuPy has them."""

from __future__ import annotations

import types
from typing import Any

from gpuport.host.argumentchecks import checks_of, guarded
from gpuport.host.array.base import Array
from gpuport.host.ndarray import ndarray

_HIDDEN: dict[tuple[type, str], Any] = {}


def _methods() -> list[tuple[type, str, Any]]:
    """Public members of arrays, with the class that each is defined in."""
    return [
        (home, name, value)
        for home in ndarray.__mro__
        if issubclass(home, Array)
        for name, value in vars(home).items()
        if not name.startswith("_")
    ]


def show_methods(version: int, listed: set[str]) -> None:
    """Give the array class the public names that it has in this version of CuPy."""
    for home, name, value in _methods():
        if name not in listed and name != "base":
            _HIDDEN[home, name] = value
            delattr(home, name)
    for home, name in [place for place in _HIDDEN if place[1] in listed]:
        setattr(home, name, _HIDDEN.pop((home, name)))
    _check_methods(version)


_UNCHECKED: dict[str, Any] = {}
"""Methods as they are written, before they were made to check their arguments."""


def _check_methods(version: int) -> None:
    """Let the methods reject what they reject in this version of CuPy."""
    for home, name, method in _methods():
        if isinstance(method, types.FunctionType):
            plain = _UNCHECKED.setdefault(name, method)
            checks = checks_of(f"cupy.ndarray.{name}", version)
            setattr(home, name, guarded(plain, checks, method=True))
