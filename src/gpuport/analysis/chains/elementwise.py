"""Which expressions work element by element: operators, ufuncs, functions of the project."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gpuport._data import rules_folder
from gpuport.analysis.interpretation.unit import Unit
from gpuport.parallel.cuda.rules import functions

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.names import Scope


class Unfit(Exception):
    """An expression or a statement that is no part of a chain; the text says why, or is empty."""


@cache
def rules() -> Mapping[str, Any]:
    """The data of ``rules/fusion.yaml``, read once."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (rules_folder() / "fusion.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.load(text, Loader=loader)
    return found


def elementwise_call(path: str, node: ast.Call) -> bool:
    """Whether a call is of a function that works element by element, as kernels know it."""
    if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return False
    known = rules()["functions"].get(path)
    if known is not None:
        return len(node.args) == int(known)
    head, _, last = path.rpartition(".")
    if head == "builtins":
        return last in rules()["builtins"] and len(node.args) == 1
    return ufunc(path) is not None


def elementwise_operator(node: ast.expr) -> bool:
    """Whether an expression is an operator that kernels know; chained comparisons are none."""
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return type(node.op).__name__ in operators()
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and type(node.ops[0]).__name__ in operators()
    return False


def operands(node: ast.expr) -> list[ast.expr]:
    """What an operator or a call is applied to."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return node.args if isinstance(node, ast.Call) else []


def with_operands(node: ast.expr, given: list[ast.expr]) -> ast.expr:
    """A copy of an operator or a call, applied to something else."""
    fields = {name: getattr(node, name) for name in node._fields}
    if isinstance(node, ast.BinOp):
        fields["left"], fields["right"] = given
    elif isinstance(node, ast.UnaryOp):
        (fields["operand"],) = given
    elif isinstance(node, ast.Compare):
        fields["left"], *fields["comparators"] = given
    else:
        fields["args"], fields["keywords"] = given, []
    return ast.copy_location(type(node)(**fields), node)


def ufunc(path: str) -> str | None:
    """The ufunc behind a resolved name, where kernels have it."""
    return functions().ufunc(path)


@cache
def operators() -> Mapping[str, str]:
    """Class of ``ast`` -> NumPy function."""
    return functions().operators


@cache
def constants() -> Mapping[str, float]:
    """Values of ``numpy.pi`` and the like."""
    return functions().constants


def function_called(unit: Unit, function: ast.expr) -> ast.FunctionDef | None:
    """The function of the module that a name stands for, where nothing else can be meant."""
    root = unit.project.root
    if not isinstance(function, ast.Name) or unit.scope.owner(function.id) is not root:
        return None
    found = root.functions.get(function.id)
    if not isinstance(found, ast.FunctionDef) or found.decorator_list:
        return None
    return found if root.bound.get(function.id) == 1 else None


def launches_inside(project: Project, definition: ast.FunctionDef) -> int:
    """Operations of a function on arrays; 0 for one that does anything but such operations."""
    try:
        return _Body(project).launches(definition)
    except Unfit:
        return 0


class _Body:
    """Goes through a function that a kernel may do itself."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.count = 0

    def launches(self, node: ast.FunctionDef) -> int:
        """The operations of a chain of assignments with a ``return`` behind it."""
        args = node.args
        if args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
            raise Unfit
        known = {a.arg for a in (*args.posonlyargs, *args.args)}
        documented = isinstance(node.body[0], ast.Expr)
        *body, last = node.body[1:] if documented else node.body
        scope = self.project.scope_of(node)
        for statement in body:
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                raise Unfit
            (target,) = statement.targets
            if not isinstance(target, ast.Name) or isinstance(statement.value, ast.Name):
                raise Unfit
            self._expression(statement.value, scope, known)
            known.add(target.id)
        if not isinstance(last, ast.Return) or isinstance(last.value, ast.Name | None):
            raise Unfit
        self._expression(last.value, scope, known)
        return self.count

    def _expression(self, node: ast.expr, scope: Scope, known: set[str]) -> None:
        if isinstance(node, ast.Name):
            if node.id not in known:
                raise Unfit
        elif isinstance(node, ast.Constant):
            if type(node.value) not in (int, float, bool):
                raise Unfit
        elif isinstance(node, ast.Attribute):
            if (scope.resolve(node) or "") not in constants():
                raise Unfit
        elif elementwise_operator(node) or (
            isinstance(node, ast.Call) and elementwise_call(scope.resolve(node.func) or "", node)
        ):
            parts = operands(node)
            self.count += not all(isinstance(part, ast.Constant) for part in parts)
            for part in parts:
                self._expression(part, scope, known)
        else:
            raise Unfit


__all__ = [
    "Unfit",
    "constants",
    "elementwise_call",
    "elementwise_operator",
    "function_called",
    "launches_inside",
    "operands",
    "operators",
    "rules",
    "ufunc",
    "with_operands",
]
