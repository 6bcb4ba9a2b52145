"""The file as the planner of loops over items reads it: what the names in it stand for."""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Number, Scalar
from gpuport.parallel.items.records import Comprehension, Loop

Region = Loop


class Source:
    """The names where a loop stands."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.scope = unit.scope

    def segment(self, node: ast.AST) -> str:
        return self.unit.module.segment(node)

    def resolve(self, node: ast.expr) -> str | None:
        return self.scope.resolve(node)

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        return own_function(self.unit, node)

    def inside(self, function: ast.FunctionDef) -> Inside:
        return Inside(self.unit, function)

    def properties(self, name: str) -> list[ast.FunctionDef]:
        found = (scope.functions.get(name) for scope in self.unit.project.root.children)
        return [one for one in found if isinstance(one, ast.FunctionDef) and one.decorator_list]

    def is_passed(self, name: str) -> bool:
        owner, root = self.scope.owner(name), self.unit.project.root
        if owner is None or self.resolve(ast.Name(name, ast.Load())) is not None:
            return False
        once = owner is root and root.bound.get(name) == 1
        if once and (name in root.functions or any(one.name == name for one in root.children)):
            return False
        value = self.unit.project.constant(name) if once else None
        assumed = isinstance(value, Scalar) and value.type == "assumed"
        return not isinstance(value, (Number, Scalar)) or assumed


class Inside(Source):
    """The names in a function of the module."""

    def __init__(self, unit: Unit, function: ast.FunctionDef) -> None:
        super().__init__(unit)
        self.scope = unit.project.scope_of(function)

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        root = self.unit.project.root
        if self.scope.owner(name) is not root or root.bound.get(name) != 1:
            return None
        found = root.functions.get(name)
        return found if isinstance(found, ast.FunctionDef) else None


def own_function(unit: Unit, node: ast.Call) -> ast.FunctionDef | None:
    """The function of the module that a call is of."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    found = unit.project.own_function(unit, name) if name else None
    return found if isinstance(found, ast.FunctionDef) else None


__all__ = ["Comprehension", "Inside", "Region", "Source", "own_function"]
