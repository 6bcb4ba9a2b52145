"""Calls on the host path: which of the arrays that they meet are arguments of theirs.

``cupy.asarray(x)`` in the text of a port may be the program's own ``numpy.asarray(x)``, which makes
a plain array of a masked one, or a transfer that was written around a result of the host, which
must leave it what it is. For an argument that the body takes to the device it is the former.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from gpuport.runtime.kinds import Kind, kind_of, leaves_of

_DEEPEST = 4


class _Visits(threading.local):
    def __init__(self) -> None:
        self.own: list[frozenset[int]] = []


visits = _Visits()
"""Those of this thread; boundaries inside of one stay on the host."""

NO_ARGUMENTS: frozenset[int] = frozenset()
"""Of a call all of whose arrays are plain ones."""


@contextmanager
def visiting(arguments: Iterable[Any]) -> Iterator[None]:
    """A call on the host path, with the arguments of which the body may make plain arrays."""
    visits.own.append(frozenset(_identities(arguments, 0)))
    try:
        yield
    finally:
        visits.own.pop()


def refuse_unclear(a: Any) -> None:
    """Raise where it cannot be told whether an array has to stay what it is.

    Raises
    ------
    TypeError
        For an array of a subclass, or of another library, that is no argument of the call.
    """
    if not visits.own or id(a) in visits.own[-1]:
        return
    if kind_of(a) is Kind.FOREIGN_ARRAY:
        raise TypeError(
            f"gpuport: a {type(a).__module__}.{type(a).__qualname__} comes to a transfer to the "
            "device here, which would make a plain array of it; the original may have kept it: "
            "pass plain arrays, or leave the function as it was ('# gpuport: skip')"
        )


def _identities(values: Iterable[Any], depth: int) -> Iterator[int]:
    for value in values:
        yield id(value)
        if depth < _DEEPEST and kind_of(value) is Kind.CONTAINER:
            yield from _identities(leaves_of(value), depth + 1)


__all__ = ["NO_ARGUMENTS", "refuse_unclear", "visiting", "visits"]
