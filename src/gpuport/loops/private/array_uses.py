"""Names in a loop that are used as arrays are: by elements, as a whole, in operations with such."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.names import dotted, function_path, walk
from gpuport.loops.parts.parts import Parts
from gpuport.loops.private.arrays import by_element, made_of
from gpuport.rules.loopfunctions import makers, vector_functions

Loop = ast.For | ast.While

_NEVER_OF_LISTS = ast.Div | ast.Sub | ast.FloorDiv | ast.Mod | ast.Pow
"""Operators that lists do not have: a number of NumPy's, too, makes arrays of them."""


_OF_LISTS = frozenset(f"builtins.{name}" for name in ("len", "sum", "max", "min"))
"""What is asked of a list element by element."""


class ArrayUses(ast.NodeVisitor):
    """Where a list is taken for an array, and whether anything else is done with it as a whole."""

    def __init__(self, name: str, loop: Loop, parts: Parts) -> None:
        self.name, self.loop, self.parts = name, loop, parts
        self.facts = parts.facts
        self.whole: list[ast.Name] = []
        self.copied: list[ast.Call] = []
        self.other = False
        self.bindings = 0

    def are_arrays(self, lists: int) -> bool:
        """Whether a name of so many lists is taken for an array, and no list is changed."""
        self.visit(self.loop)
        return bool(self.whole) and not self.other and self.bindings == lists

    def visit_Name(self, node: ast.Name) -> None:
        bound = node.id == self.name and not isinstance(node.ctx, ast.Load)
        self.bindings += bound
        self.other = self.other or (node.id == self.name and not bound)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self._names(node.value):
            self.other = self.other or not isinstance(node.ctx, ast.Load)
            self.visit(node.slice)
        else:
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        (target, *more) = node.targets
        if self._names(node.value) and not more and isinstance(target, ast.Subscript | ast.Tuple):
            if isinstance(target, ast.Subscript):
                self._taken(node.value)
            self.visit(target)
        else:
            self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        for child in ast.iter_child_nodes(node):
            if not self._names(child):
                self.visit(child)

    def visit_Call(self, node: ast.Call) -> None:
        path = function_path(node.func, self.facts)
        an_array = takes_arrays(node, self.facts)
        if path in makers().of_items and len(node.args) == 1 and not node.keywords:
            an_array = self._names(node.args[0])
            self.copied += [node] if an_array else []
        itself = path in _OF_LISTS and len(node.args) == 1 and not node.keywords
        for one in (*node.args, *node.keywords, node.func):
            if an_array and self._names(one):
                self._taken(one)
            elif not (itself and self._names(one)):
                self.visit(one)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        never = isinstance(node.op, _NEVER_OF_LISTS)
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if not self._names(one):
                self.visit(one)
            elif (self._of_numpy if never else self._is_array)(other):
                self._taken(one)
            else:
                self.other = True

    def _names(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.name

    def _taken(self, node: ast.AST) -> None:
        assert isinstance(node, ast.Name)
        self.whole.append(node)

    def _of_numpy(self, node: ast.expr) -> bool:
        """Whether an expression surely gives an array, or a number of NumPy's."""
        if isinstance(node, ast.Call):
            return (function_path(node.func, self.facts) or "").startswith("numpy.")
        if isinstance(node, ast.BinOp):
            return self._of_numpy(node.left) or self._of_numpy(node.right)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and self._of_numpy(node.operand)
        if isinstance(node, ast.Subscript):
            return isinstance(self.facts.get(dotted(node.value) or ""), ArrayFact)
        values = self._values(node)
        return bool(values) and all(
            isinstance(value, ast.Call) and self._of_numpy(value) for value in values
        )

    def _is_array(self, node: ast.expr) -> bool:
        """Whether an expression surely gives an array."""
        if isinstance(node, ast.Subscript):
            return self.parts.is_part(node)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            return self._is_array(node.left) or self._is_array(node.right)
        values = self._values(node)
        return bool(values) and all(made_of(value, self.facts) is not None for value in values)

    def _values(self, node: ast.expr) -> list[ast.expr]:
        """All that a name of the loop is ever given; nothing where not all of it is told."""
        if not isinstance(node, ast.Name) or node.id in exposed(self.loop.body):
            return []
        bindings = [
            one
            for one in walk([self.loop])
            if isinstance(one, ast.Name) and one.id == node.id and not isinstance(one.ctx, ast.Load)
        ]
        steps = [one for one in walk([self.loop]) if isinstance(one, ast.Assign)]
        values = [one.value for one in steps if bound_by(one) == node.id]
        return values if len(values) == len(bindings) else []


def bound_by(statement: ast.stmt) -> str | None:
    """The one name that a statement gives a value to."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) else None


def takes_arrays(call: ast.Call, facts: Mapping[str, Fact]) -> bool:
    """Whether a call makes an array of a list that it is given, and a kernel can carry it out."""
    path = function_path(call.func, facts) or ""
    known = vector_functions()
    if path in known.products or path in known.reductions or path in known.norms:
        return not path.startswith("numpy.ndarray.")  # which is called of arrays alone
    return path.startswith("numpy.") and by_element(call, facts)


__all__ = ["ArrayUses", "Loop", "bound_by", "takes_arrays"]
