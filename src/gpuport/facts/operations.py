"""Operations by name, as the process that asks libraries calls them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.facts.knowledge import resolve
from gpuport.ir.operators import BINARY, COMPARE, IN_PLACE, UNARY

#: Classes whose methods are asked with an object as the first argument.
OF_OBJECTS = ("numpy.ndarray.", "numpy.random.Generator.", "numpy.random.RandomState.")
ATTRIBUTE, IN_ITS_PLACE, OF_ONE, INDEX = "attribute ", " in place", " of one", "index"


def operation(name: str) -> Callable[..., Any]:
    """The function that a name means.

    Raises
    ------
    Unresolved
        For a path that names nothing.
    """
    if name == INDEX:
        return index_in_range
    if name.startswith(ATTRIBUTE):
        return operator.attrgetter(name.removeprefix(ATTRIBUTE))
    if name.endswith(IN_ITS_PLACE):
        return IN_PLACE[name.removesuffix(IN_ITS_PLACE)]
    if name.endswith(OF_ONE):
        return UNARY[name.removesuffix(OF_ONE)]
    if name in BINARY or name in COMPARE:
        return (BINARY | COMPARE)[name]
    if name.startswith(OF_OBJECTS):
        return _method(name.rpartition(".")[2])
    found: Callable[..., Any] = resolve(name)
    return found


def _method(name: str) -> Callable[..., Any]:
    """A method as a function of its object."""

    def call(receiver: Any, *arguments: Any, **named: Any) -> Any:
        return getattr(receiver, name)(*arguments, **named)

    return call


def index_in_range(array: Any, by: Any) -> Any:
    """``array[by]`` with indices that are in range whatever the sample is."""
    return array[tuple(map(_zeroed, by)) if isinstance(by, tuple) else _zeroed(by)]


def _zeroed(index: Any) -> Any:
    if isinstance(index, np.ndarray) and index.dtype.kind in "iu":
        return index * 0
    if isinstance(index, list):
        return [0 if isinstance(i, int) and not isinstance(i, bool) else i for i in index]
    return index
