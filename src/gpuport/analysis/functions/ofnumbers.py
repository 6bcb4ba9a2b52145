"""Functions that work with numbers alone and give back one number, as their text shows."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.values.lattice import is_number
from gpuport.loops.context.purity import known_functions
from gpuport.parallel.cuda.rules import functions
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

Definition = ast.FunctionDef | ast.Lambda

_WORKING = (
    ast.If, ast.While, ast.Pass, ast.Break, ast.Continue, ast.Raise, ast.Assert, ast.Expr,
    ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For,
)  # fmt: skip
"""Statements that such a function may hold."""


def gives_one_number(
    unit: Unit, scope: Scope, definition: Definition | None, function: ast.AST
) -> bool:
    """Whether a function that is given numbers gives back one number.

    Parameters
    ----------
    unit : Unit
        The code that is gone through.
    scope : Scope
        Where the function is named, or written.
    definition : ast.FunctionDef or ast.Lambda or None
        Its text; None for one of a library.
    function : ast.AST
        The function as it is named.
    """
    if definition is not None:
        return _Text(unit, scope, definition, ()).is_number()
    return isinstance(function, ast.expr) and scope.resolve(function) in _known()


def _known() -> frozenset[str]:
    return known_functions()


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a function; ``around`` are those that are being looked at and call it."""

    unit: Unit
    scope: Scope
    node: Definition
    around: tuple[ast.AST, ...]

    def is_number(self) -> bool:
        """Whether all that it gives back is numbers."""
        if isinstance(self.node, ast.Lambda):
            return self._number(self.node.body)
        statements = [part for part in walk(self.node) if isinstance(part, ast.stmt)]
        own = [part for part in statements if part is not self.node]
        returned = [part for part in own if isinstance(part, ast.Return)]
        return bool(returned) and all(map(self._works, own))

    def _works(self, node: ast.stmt) -> bool:
        if not isinstance(node, _WORKING):
            return False
        if isinstance(node, ast.Return):
            return node.value is not None and self._number(node.value)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return node.value is not None and all(self._bound(t, node.value) for t in targets)
        if isinstance(node, ast.For):
            head = node.iter.func if isinstance(node.iter, ast.Call) else node.iter
            path = self.scope.resolve(head)
            return isinstance(node.target, ast.Name) and path == "builtins.range"
        return True

    def _bound(self, target: ast.expr, value: ast.expr) -> bool:
        """Whether a target is bound to a number; ``low, high = a, b`` binds each to its own."""
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            pairs = zip(target.elts, value.elts, strict=False)
            return len(target.elts) == len(value.elts) and all(self._bound(*one) for one in pairs)
        return isinstance(target, ast.Name) and self._number(value)

    def _number(self, node: ast.expr) -> bool:
        """Whether an expression is a number where the function's own names are numbers."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (bool, int, float))
        if isinstance(node, ast.Name):
            return self._is_own(node.id) or self._is_number_around(node.id)
        if isinstance(node, ast.BinOp):
            return self._number(node.left) and self._number(node.right)
        if isinstance(node, ast.UnaryOp):
            return self._number(node.operand)
        if isinstance(node, ast.BoolOp):
            return all(map(self._number, node.values))
        if isinstance(node, ast.IfExp):
            return self._number(node.body) and self._number(node.orelse)
        if isinstance(node, ast.Compare):
            return all(map(self._number, (node.left, *node.comparators)))
        if isinstance(node, ast.Attribute):
            return self.scope.resolve(node) in _constants()
        return isinstance(node, ast.Call) and self._call(node)

    def _call(self, node: ast.Call) -> bool:
        given = [*node.args, *(one.value for one in node.keywords)]
        if not all(map(self._number, given)):  # a starred argument is none
            return False
        if self.scope.resolve(node.func) in _known():
            return True
        called = self._defined(node.func)
        if called is None or called in self.around or called is self.node:
            return False
        root = self.unit.project.root
        return _Text(self.unit, root, called, (*self.around, self.node)).is_number()

    def _defined(self, function: ast.expr) -> ast.FunctionDef | None:
        root = self.unit.project.root
        if not isinstance(function, ast.Name) or self._is_own(function.id):
            return None
        if self.scope.owner(function.id) is not root or root.bound.get(function.id) != 1:
            return None
        found = root.functions.get(function.id)
        return found if isinstance(found, ast.FunctionDef) and not found.decorator_list else None

    def _is_own(self, name: str) -> bool:
        """Whether a name is a parameter, or bound in the function."""
        listed = self.node.args
        named = [*listed.posonlyargs, *listed.args, *listed.kwonlyargs]
        if any(one.arg == name for one in named):
            return True
        stored = (part for part in walk(self.node) if isinstance(part, ast.Name))
        return any(one.id == name and isinstance(one.ctx, ast.Store) for one in stored)

    def _is_number_around(self, name: str) -> bool:
        """Whether a name of the code around it is a number."""
        owner = self.scope.owner(name)
        if owner is self.unit.project.root:
            return is_number(self.unit.project.constant(name))
        flow = self.unit.env.get(name) if owner is self.unit.scope else None
        return flow is not None and is_number(flow.value)


def _constants() -> frozenset[str]:
    return frozenset(functions().constants)


__all__ = ["gives_one_number"]
