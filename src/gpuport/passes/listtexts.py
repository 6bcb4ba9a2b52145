"""What rewritten lists need: names of their own, and the loop that a statement is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gpuport.analysis.interpretation.unit import Unit

_FRESH = frozenset(
    f"numpy.{name}" for name in ("zeros", "ones", "empty", "full", "zeros_like", "empty_like")
)

LOCAL = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)

Loop = ast.For | ast.While

LOOPING = (ast.For, ast.Assign, ast.Return)
"""Statements that may be loops, or be made by one."""

_ONE_AFTER_ANOTHER = (ast.ListComp, ast.GeneratorExp)


@dataclass(slots=True)
class Names:
    """Names that nothing in the module has."""

    unit: Unit
    taken: set[str] | None = None

    def free(self, name: str) -> str:
        if self.taken is None:
            module, root = self.unit.module, self.unit.project.root
            self.taken = {*module.names, *module.parameters, *root.bound, *root.imports}
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def starts_line(unit: Unit, node: ast.stmt) -> bool:
    before = unit.module.line_text(node.lineno)[: node.col_offset]
    return not before.strip() and before.isascii()


def loop_of(node: ast.stmt) -> ast.For | ast.ListComp | ast.GeneratorExp | None:
    """The loop that a statement is, or that what it binds or returns is made by."""
    if isinstance(node, ast.For):
        return None if node.orelse else node
    return _comprehension(node)


def _comprehension(node: ast.stmt) -> ast.ListComp | ast.GeneratorExp | None:
    """The comprehension that a statement binds or returns, or all that it makes something of."""
    value = node.value if isinstance(node, (ast.Assign, ast.Return)) else None
    if (
        isinstance(value, ast.Call)
        and len(value.args) == 1
        and isinstance(value.func, ast.Name | ast.Attribute)
    ):
        value = value.args[0]
    if not isinstance(value, _ONE_AFTER_ANOTHER) or len(value.generators) != 1:
        return None
    inner = value.generators[0]
    return None if inner.ifs or inner.is_async else value


def outermost(
    unit: Unit, body: Iterable[ast.AST], wanted: Callable[[Loop], bool]
) -> Iterator[Loop]:
    """The outermost loops that are wanted, of those that are no kernels."""
    for statement in body:
        loop = isinstance(statement, (ast.For, ast.While)) and statement
        if loop and id(loop) not in unit.forms.launches and wanted(loop):
            yield loop
        elif isinstance(statement, ast.stmt) and not isinstance(statement, LOCAL):
            for block in ("body", "orelse", "finalbody"):
                yield from outermost(unit, getattr(statement, block, ()), wanted)


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def is_new(unit: Unit, function: ast.FunctionDef, name: str) -> bool:
    """Whether a name is bound once, to an array that nothing else refers to."""
    stores = [
        n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name and _stores(n)
    ]
    for part in ast.walk(function):
        if isinstance(part, ast.Assign) and part.targets == stores and len(stores) == 1:
            made = part.value
            return isinstance(made, ast.Call) and unit.scope.resolve(made.func) in _FRESH
    return False


__all__ = [
    "LOCAL",
    "LOOPING",
    "Names",
    "is_new",
    "loop_of",
    "outermost",
    "starts_line",
]
