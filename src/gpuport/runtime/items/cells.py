"""Which elements of an array each item reads, stores to and adds to: asked of each element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.effects import AddTo, Store

if TYPE_CHECKING:
    from gpuport.runtime.items.outside import OuterArray
    from gpuport.runtime.items.trace import Trace

MOST = 1 << 24
"""Of more elements the host would keep longer lists than a loop over items is worth."""


class Cells:
    """What the items of a loop do with the elements of an array.

    Attributes
    ----------
    stored, added, read : list of (numpy.ndarray, numpy.ndarray, object)
        Numbers of elements and of the items, both of shape (items, elements of one's part), and
        what does it.
    """

    def __init__(self, root: OuterArray) -> None:
        self.numbers = np.arange(root.size).reshape(root.shape)
        self.size = self.total = root.size
        self.stored: list[tuple[Any, Any, Any]] = []
        self.added: list[tuple[Any, Any, Any]] = []
        self.read: list[tuple[Any, Any, Any]] = []

    def note(self, kind: str, trace: Trace, where: Any, effect: Any) -> bool:
        """Note what is done at a part of each item; False where that is too much to know."""
        self.total += where.items * int(np.prod(where.shape))
        if self.total > MOST:
            return False
        found = where.of(self.numbers).reshape(where.items, -1)
        getattr(self, kind).append((found, trace.places[:, None], effect))
        return True

    def is_apart(self) -> bool:
        """Whether elements that several items come by are only read, only added to or only stored.

        Of several values that are stored, the one of the last item stays.
        """
        owner, shared = np.zeros(self.size, np.int64), np.zeros(self.size, bool)
        everything = [*self.stored, *self.added, *self.read]
        for found, items, _ in everything:
            owner[found] = items
        for found, items, _ in everything:
            shared[found[owner[found] != items]] = True
        kinds = [self._named(kind) for kind in (self.stored, self.added, self.read)]
        if (shared & (np.sum(kinds, axis=0) > 1)).any():
            return False
        if (shared & kinds[0]).any():
            self._keep_last()
        return True

    def _named(self, what: list[tuple[Any, Any, Any]]) -> Any:
        named = np.zeros(self.size, bool)
        for found, _, _ in what:
            named[found] = True
        return named

    def _keep_last(self) -> None:
        """Tell the effects which of their values stay."""
        last = np.full(self.size, -1, np.int64)
        steps = [
            (found, np.broadcast_to(items * len(self.stored) + number, found.shape), effect)
            for number, (found, items, effect) in enumerate(self.stored)
        ]
        for found, step, _ in steps:
            np.maximum.at(last, found, step)
        for found, step, effect in steps:
            stays = last[found] == step
            places = np.unravel_index(found[stays], self.numbers.shape)
            effect.last = (stays.reshape(effect.where.items, *effect.where.shape), places)


def cells_of(traces: list[Trace], root: OuterArray) -> Cells | None:
    """What the items do with an array; None where some of it is not known of each element."""
    cells = Cells(root)
    for trace in traces:
        for kind, where, effect in _accesses(trace, root.array):
            if where is None or not cells.note(kind, trace, where, effect):
                return None
    return cells


def _accesses(trace: Trace, array: Any) -> Iterator[tuple[str, Any, Any]]:
    """What is done with an array, and where; None where that is not known."""
    for one in trace.effects:
        target = one.target
        if getattr(getattr(target, "root", None), "array", None) is array:
            kind = {Store: "stored", AddTo: "added"}.get(type(one), "")
            yield kind, one.where if kind and target.array is array else None, one
    for root in trace.arrays():
        if root.array is array:
            yield from (("read", where, None) for where in root.reads)
