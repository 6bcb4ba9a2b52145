"""Sums, extremes, products and norms of parts of arrays in expressions."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import called_with, constant_int
from gpuport.loops.parts.orders import Orders
from gpuport.loops.parts.part_reductions import WIDE, kinds
from gpuport.loops.parts.parts import Operation, operation, single
from gpuport.loops.parts.products import product
from gpuport.loops.parts.searches import Searches
from gpuport.rules.loopfunctions import last_names, vector_functions

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices


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
