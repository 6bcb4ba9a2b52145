"""A function as it was, for attempts that come to nothing."""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.facts.contexts import Context
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Op, Region, Value


class Snapshot:
    """The operations of a function, and the types of its values, to go back to."""

    def __init__(self, function: Function, contexts: Iterable[Context]) -> None:
        ops = list(walk(function.body))
        regions = [function.body, *(region for op in ops for region in op.regions)]
        self._regions = [(region, [*region.parameters], [*region.ops]) for region in regions]
        self._ops = [(op, op.kind, [*op.operands], dict(op.attributes), [*op.results], op.parent)
                     for op in ops]  # fmt: skip
        values = [
            *(v for op in ops for v in op.results),
            *(v for r in regions for v in r.parameters),
        ]
        self._values: list[tuple[Value, str, Op | Region | Function]] = [
            (value, value.name, value.definition) for value in values
        ]
        self._types = [(context, dict(context.types)) for context in contexts]

    def restore(self) -> None:
        """Let everything be as it was; new operations and values are nowhere any more."""
        for region, parameters, ops in self._regions:
            region.parameters, region.ops = parameters, ops
        for op, kind, operands, attributes, results, parent in self._ops:
            op.kind, op.operands, op.attributes = kind, operands, attributes
            op.results, op.parent = results, parent
        for value, name, definition in self._values:
            value.name, value.definition = name, definition
        for context, types in self._types:
            context.types = types
