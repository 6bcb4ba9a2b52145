"""What a program stores under the names that its operations read: attributes, and globals."""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.facts.contexts import Context
from gpuport.facts.ways import fields
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Value

_OF_OBJECTS = ""


class Stored:
    """Where the values of attributes and of globals come from.

    Parameters
    ----------
    contexts : iterable of Context
        Of the whole program.
    """

    def __init__(self, contexts: Iterable[Context]) -> None:
        self._every = tuple(contexts)
        self._found: dict[tuple[str, str], list[tuple[Context, Value]]] | None = None

    def to(self, context: Context, op: Op) -> list[tuple[Context, Value]]:
        """The values that may stand where an operation reads; none where it reads otherwise."""
        if op.kind == "LoadGlobal":
            where = context.function.module
        else:
            owner = context.types.get(op.operands[0]) if op.kind == "GetAttr" else None
            if owner is None or owner.kind != "record":
                return []
            where = _OF_OBJECTS
        if self._found is None:
            self._found = self._index()
        return self._found.get((where, op.attributes["name"]), [])

    def _index(self) -> dict[tuple[str, str], list[tuple[Context, Value]]]:
        found: dict[tuple[str, str], list[tuple[Context, Value]]] = {}
        for context in self._every:
            for op in walk(context.function.body):
                for name, value in fields(context, op):
                    found.setdefault((_OF_OBJECTS, name), []).append((context, value))
                if op.kind == "StoreGlobal" and op.operands[0] in context.types:
                    key = context.function.module, op.attributes["name"]
                    found.setdefault(key, []).append((context, op.operands[0]))
        return found


__all__ = ["Stored"]
