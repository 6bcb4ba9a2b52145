"""Sums, extremes, products and norms of parts of arrays in expressions."""

from __future__ import annotations

import ast
from functools import cache
from textwrap import indent
from typing import TYPE_CHECKING

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import called_with, constant_int
from gpuport.loops.parts.orders import Orders
from gpuport.loops.parts.part_reductions import WIDE, bound_inside, kinds
from gpuport.loops.parts.parts import Operation, Part, operation, single
from gpuport.loops.parts.products import product
from gpuport.rules.loopfunctions import last_names, vector_functions

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


@cache
def _looks() -> frozenset[str]:
    """What reductions are called, whatever module or array they are of."""
    return last_names(p for p in vector_functions().paths if not p.startswith("builtins."))


class Reductions(ast.NodeTransformer):
    """Finds the reductions, innermost first."""

    def __init__(self, slices: Slices) -> None:
        self.slices = slices

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        found_out = Searches(self.slices).found(node) or self._spread(node)
        if found_out is not None or node.keywords:
            return found_out or node
        slices, known = self.slices, vector_functions()
        path, operands = called_with(node, slices.facts)
        if path in known.products:
            return self._product(node)
        if path in known.norms and len(operands) == 1:
            return self._norm(node, operands[0])
        if path in known.reductions and len(operands) == 1:
            found = operation(operands[0], slices.parts, None)
            return slices.reduction(known.reductions[path], found, node) or node
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``np.sort(x[i - 1:i + 2])[1]``, ``sorted(x[i:i + 3])[-1]``."""
        self.generic_visit(node)
        at = constant_int(node.slice)
        if not isinstance(node.value, ast.Call) or at is None:
            return node
        return Orders(self.slices).found(node, node.value, at) or node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._product(node) if isinstance(node.op, ast.MatMult) else node

    def _product(self, node: ast.expr) -> ast.AST:
        """The sum of the products of two vectors; one with a matrix is left as it is."""
        found = product(node, self.slices.facts)
        if found is None:
            return node
        both = [
            single(one, self.slices.parts) or operation(one, self.slices.parts, None)
            for one in (found.left, found.right)
        ]
        if any(one is None or one.axes != 1 for one in both):
            return node
        parts = {leaf: part for one in both if one is not None for leaf, part in one.parts.items()}
        made = ast.copy_location(ast.BinOp(found.left, ast.Mult(), found.right), node)
        return self._total(Operation(made, parts), node) or node

    def _total(self, found: Operation, node: ast.expr) -> ast.expr | None:
        """The sum of products; None where NumPy adds them in fewer bits than a sum has."""
        if not kinds(found, self.slices) <= {*WIDE}:
            return None
        return self.slices.reduction("+", found, node)

    def _spread(self, node: ast.Call) -> ast.expr | None:
        """``x[i].std()``, ``np.var(x[i:j], ddof=1)``: of what is left without the mean."""
        path, operands = called_with(node, self.slices.facts)
        kind = vector_functions().spreads.get(path)
        less = constant_int(node.keywords[0].value) if node.keywords else 0
        told = [one.arg for one in node.keywords] in ([], ["ddof"])
        owner = self.slices.numpy()
        if kind is None or len(operands) != 1 or not told or less is None or owner is None:
            return None
        found = operation(operands[0], self.slices.parts, None)
        mean = self.slices.reduction("mean", found, node)
        if found is None or mean is None:
            return None
        apart = ast.BinOp(found.node, ast.Sub(), mean)
        squared = ast.fix_missing_locations(
            ast.copy_location(ast.BinOp(apart, ast.Mult(), apart), node)
        )
        made = self.slices.reduction("mean", Operation(squared, found.parts), node, less)
        if made is None or kind == "var":
            return made
        return parse(f"{owner}.sqrt({ast.unparse(made)})", node)

    def _norm(self, node: ast.Call, operand: ast.expr) -> ast.AST:
        """The root of the sum of squares of a vector."""
        found = operation(operand, self.slices.parts, None)
        owner = self.slices.numpy()
        if found is None or owner is None:
            return node
        squared = ast.copy_location(ast.BinOp(operand, ast.Mult(), operand), node)
        total = self._total(Operation(squared, found.parts), node)
        return node if total is None else parse(f"{owner}.sqrt({ast.unparse(total)})", node)


def may_reduce(node: ast.AST) -> bool:
    """Whether a node may be a reduction, for its looks alone."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _looks()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "sorted"
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
