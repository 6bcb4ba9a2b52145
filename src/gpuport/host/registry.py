"""Functions written by hand because CuPy differs from NumPy there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

HANDWRITTEN: dict[str, Any] = {}
"""By CuPy's qualified name."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def implements(*names: str) -> Callable[[_Function], _Function]:
    """Register a function or class as CuPy's of these qualified names."""

    def register(function: _Function) -> _Function:
        for name in names:
            HANDWRITTEN[name] = function
        return function

    return register
