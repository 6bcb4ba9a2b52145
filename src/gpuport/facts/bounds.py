"""The most elements that arrays can have in a program, where their exact extents are not known.

A part of an array is no larger than the array, and an array that calls hand in is as large as the
largest of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.facts.answers import Answers, Number
from gpuport.facts.contexts import Context
from gpuport.facts.likely import Likely
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Function, Op
from gpuport.ir.types import Type

Bound = int | None


class Bounds:
    """Upper bounds of extents, over all calls that the program makes."""

    def __init__(self, contexts: Iterable[Context] = ()) -> None:
        self._answers = Answers()
        self._likely = Likely(self.of, contexts, self._answers)

    def of(self, context: Context, extent: Affine | None) -> Bound:
        """The most that an extent can be; None where nothing tells."""
        if extent is None:
            return None
        total = extent.constant
        for symbol, factor in extent.terms:
            most = self._of_symbol(context, symbol) if factor > 0 else 0
            if most is None:
                return None
            total += factor * most
        return max(total, 0)

    def _of_symbol(self, context: Context, symbol: Symbol) -> Bound:
        most = self._answers.to((context, symbol), lambda: self._most(context, symbol))
        return int(most) if most is not None else None

    def _most(self, context: Context, symbol: Symbol) -> Number | None:
        definition, found = symbol.source.definition, None
        if isinstance(definition, Function):
            found = self._handed(context, symbol)
        elif isinstance(definition, Op) and definition.kind == "GetItem":
            found = self._of_part(context, definition, symbol)
        return self._likely.at(context, symbol.source, symbol.path) if found is None else found

    def _handed(self, context: Context, symbol: Symbol) -> Bound:
        """The largest that calls hand in."""
        found = [
            self.of(caller, back[symbol]) if symbol in back else None
            for (caller, _), back in context.handed.items()
        ]
        known = [one for one in found if one is not None]
        return max(known) if known and len(known) == len(found) else None

    def _of_part(self, context: Context, op: Op, symbol: Symbol) -> Bound:
        """The longest axis of what a basic index, or a mask, takes a part of."""
        whole, by = (context.types.get(value) for value in op.operands)
        if whole is None or not symbol.path or symbol.path[0][0] != "axis":
            return None
        parts = by.items if by is not None and by.kind == "tuple" and by.items else (by,)
        if whole.kind != "array" or not whole.shape or not all(map(_is_no_longer, parts)):
            return None
        extents = [self.of(context, extent) for extent in whole.shape]
        known = [one for one in extents if one is not None]
        return max(known) if len(known) == len(extents) else None


def _is_no_longer(part: Type | None) -> bool:
    """Whether a part of an index takes no more than there is."""
    if part is None:
        return False
    mask = part.kind == "array" and part.dtype == "bool" and part.rank == 1
    return mask or part.kind in ("slice", "none", "ellipsis", "number", "scalar")


__all__ = ["Bounds"]
