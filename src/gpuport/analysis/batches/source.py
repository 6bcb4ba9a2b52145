"""The file as the batching room reads it: its text, and what the names in it stand for."""

from __future__ import annotations

import ast
from functools import lru_cache

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Number, Scalar
from gpuport.source.syntax import walk

Comprehension = ast.ListComp | ast.GeneratorExp | ast.DictComp
Region = ast.For | ast.While | ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.Call


class Source:
    """The file as the batching room reads it, as if all of it were on the device."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def segment(self, node: ast.AST) -> str:
        return self.unit.module.segment(node)

    def extent(self, node: ast.AST) -> tuple[int, int]:
        return self.unit.module.extent(node)

    def resolve(self, node: ast.expr) -> str | None:
        return self.unit.scope.resolve(node)

    def function(self, node: ast.Call) -> str:
        return self.segment(node.func)

    def on_device(self, node: ast.Call) -> bool:
        return True

    def of_numbers(self, node: ast.Call) -> bool:
        return False

    def made_here(self, node: ast.Call) -> bool:
        return True

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        return own_function(self.unit, node)

    def inside(self, function: ast.FunctionDef) -> Inside:
        return Inside(self.unit, function)

    def number(self, name: str) -> bool:
        return False

    def place(self, node: ast.Attribute) -> int | None:
        named = self.unit.work.rewrites.get(("named", id(node)))
        return None if named is None else int(named.name)

    def names(self) -> frozenset[str]:
        return names_in(self.unit.node)


class Inside(Source):
    """A function of the module, all of whose array work is on the device."""

    def __init__(self, unit: Unit, function: ast.FunctionDef) -> None:
        super().__init__(unit)
        self.scope = unit.project.scope_of(function)

    def resolve(self, node: ast.expr) -> str | None:
        return self.scope.resolve(node)

    def function(self, node: ast.Call) -> str:
        path = self.resolve(node.func) or ""
        owner, _, name = path.partition(".")
        return f"{{cupy}}.{name}" if owner == "numpy" else self.segment(node.func)

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        root = self.unit.project.root
        if self.scope.owner(name) is not root or root.bound.get(name) != 1:
            return None
        found = root.functions.get(name)
        return found if isinstance(found, ast.FunctionDef) else None

    def number(self, name: str) -> bool:
        project = self.unit.project
        at_top = self.scope.owner(name) is project.root and project.root.bound.get(name) == 1
        value = project.constant(name)
        assumed = isinstance(value, Scalar) and value.type == "assumed"
        return at_top and isinstance(value, (Number, Scalar)) and not assumed


@lru_cache(maxsize=8)
def names_in(node: ast.AST) -> frozenset[str]:
    """The names in a function or module, those of inner functions too."""
    parts = walk(node)
    read = {part.id for part in parts if isinstance(part, ast.Name)}
    return frozenset(read | {part.arg for part in parts if isinstance(part, ast.arg)})


def own_function(unit: Unit, node: ast.Call) -> ast.FunctionDef | None:
    """The function of the module that a call is of."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    found = unit.project.own_function(unit, name) if name else None
    return found if isinstance(found, ast.FunctionDef) else None
