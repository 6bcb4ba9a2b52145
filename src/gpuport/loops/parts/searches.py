"""Places in vectors as loops: of the least and greatest element, and where a number belongs."""

from __future__ import annotations

import ast
from textwrap import indent
from typing import TYPE_CHECKING

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import called_with
from gpuport.loops.parts.part_reductions import bound_inside, kinds
from gpuport.loops.parts.parts import Operation, Part, operation
from gpuport.rules.loopfunctions import vector_functions

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices

_ORDERED = (None, "float64", "float32", "int64", "int32", "int16", "int8", "uint8", "uint16",
            "uint32", "uint64")  # fmt: skip
_FLOATS = (None, "float64", "float32")
_WHOLE = ("int64", "int32")


class Searches:
    """Writes the loops.

    Parameters
    ----------
    slices : Slices
        What is known of the arrays; what the loops are is put into ``made``.
    """

    def __init__(self, slices: Slices) -> None:
        self.slices = slices

    def found(self, node: ast.Call) -> ast.expr | None:
        """The name that holds a place; None for any other call."""
        known = vector_functions()
        path, given = called_with(node, self.slices.facts)
        if path in known.extremes and len(given) == 1 and not node.keywords:
            found = operation(given[0], self.slices.parts, None)
            return self._extreme(node, known.extremes[path], found)
        if path in known.searches and len(given) in (2, 3):
            side = _side(given[2:], node.keywords)
            return None if side is None else self._belongs(node, given[0], given[1], side)
        return None

    def _extreme(self, node: ast.Call, behind: str, found: Operation | None) -> ast.expr | None:
        slices, owner = self.slices, self.slices.numpy()
        if found is None or found.axes != 1 or owner is None:
            return None
        (kind, *others) = kinds(found, slices) or {"none"}
        inside = slices.assigned - {one for one, _ in slices.around}
        if others or kind not in _ORDERED or bound_inside(found, inside):
            return None
        parts = list(found.parts.values())
        if not slices.bounded(parts, filled=True):
            return None
        best, each, place, k = map(slices.fresh.name, ("best", "each", "place", "k"))
        # A number that is none is the least and the greatest one.
        better = f"not {each} {behind} {best}"
        if kind in _FLOATS:
            better = f"{best} == {best} and {better}"
        body = [
            f"{each} = {ast.unparse(found.element([k]))}",
            f"if {better}:\n    {best} = {each}\n    {place} = {k}",
        ]
        slices.add(
            [
                f"{best} = {ast.unparse(found.element(['0']))}",
                f"{place} = 0",
                _loop(f"for {k} in range(1, {parts[0].axes[0].length}):", body),
            ],
            node,
        )
        return parse(f"{owner}.int64({place})", node)

    def _belongs(
        self, node: ast.Call, array: ast.expr, key: ast.expr, side: str
    ) -> ast.expr | None:
        """As NumPy looks it up, so that of an array out of order it is the same place, too."""
        slices, owner = self.slices, self.slices.numpy()
        part = self._vector(array)
        if part is None or owner is None or self._is_vector(key):
            return None
        dtype = slices.parts.dtype(part)
        if dtype not in (*_FLOATS, *_WHOLE):
            return None
        if dtype in _WHOLE and any(getattr(f, "dtype", "") == "uint64" for f in _facts(slices)):
            return None  # these two types meet as floating numbers
        wanted, low, high, middle, held = map(
            slices.fresh.name, ("wanted", "low", "high", "middle", "held")
        )
        element = ast.unparse(part.element([middle], ast.Load()))
        floating = dtype in _FLOATS
        # A number that is none comes last.
        before = f"{held} < {wanted} or ({wanted} != {wanted} and {held} == {held})"
        if side == "right":
            before = f"not ({wanted} < {held} or ({held} != {held} and {wanted} == {wanted}))"
        body = [
            f"{middle} = ({low} + {high}) // 2",
            f"{held} = {owner}.float64({element})" if floating else f"{held} = {element}",
            f"if {before}:\n    {low} = {middle} + 1\nelse:\n    {high} = {middle}",
        ]
        text = ast.unparse(key)
        slices.add(
            [
                f"{wanted} = {owner}.float64({text})" if floating else f"{wanted} = {text}",
                f"{low} = 0",
                f"{high} = {part.axes[0].length}",
                _loop(f"while {low} < {high}:", body),
            ],
            node,
        )
        return parse(f"{owner}.int64({low})", node)

    def _vector(self, node: ast.expr) -> Part | None:
        """``edges``, ``edges[i]``: all of one axis."""
        parts = self.slices.parts
        part = parts.sliced(node) or parts.short(node)
        if part is None and isinstance(node, ast.Name | ast.Attribute):
            part = parts.row(node) or (parts.whole(node, 1) if parts.rank(node) < 2 else None)
        if part is None or len(part.axes) != 1:
            return None
        (axis,) = part.axes
        return part if axis.low == "0" and axis.high.endswith("]") and axis.whole else None

    def _is_vector(self, node: ast.expr) -> bool:
        """Whether more than one number is looked up."""
        parts = self.slices.parts
        made = operation(node, parts, None)
        return made is not None and any(map(parts.is_part, made.parts))


def _facts(slices: Slices) -> list[object]:
    return list(slices.facts.values())


def _side(given: list[ast.expr], keywords: list[ast.keyword]) -> str | None:
    """``left`` or ``right``; None where that is not written out, or more is asked for."""
    words = {one.arg: one.value for one in keywords}
    said = words.pop("side", given[0] if given else ast.Constant("left"))
    if words or (given and keywords) or not isinstance(said, ast.Constant):
        return None
    return said.value if said.value in ("left", "right") else None


def _loop(head: str, body: list[str]) -> str:
    return head + "\n" + indent("\n".join(body), "    ")


__all__ = ["Searches"]
