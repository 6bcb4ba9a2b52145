"""From how many operations on a chain is worth the lines of a kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from gpuport.analysis.chains.elementwise import rules
from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.syntax import LOOPS, children

_REPEATING = (*LOOPS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def least_launches(unit: Unit, *, repeated: bool) -> int:
    """How many launches a kernel has to replace.

    Parameters
    ----------
    unit : Unit
    repeated : bool
        Whether the statements stand in a loop.
    """
    if repeated or _is_called_often(unit):
        return int(rules()["least_launches_in_loops"])
    return int(rules()["least_launches_once" if _runs_once(unit) else "least_launches"])


def _runs_once(unit: Unit) -> bool:
    """Whether code outside of loops is likely to run once: a program's own, and not functions'."""
    return not (unit.decorated or unit.objects is not None) or isinstance(unit.node, ast.Module)


def _is_called_often(unit: Unit) -> bool:
    """Whether a loop of the program calls a function, or a function that a loop calls."""
    name = getattr(unit.node, "name", None)
    trees = tuple(project.module.tree for project in unit.project.program.projects)
    return name is not None and name in _called_often(trees)


@lru_cache(maxsize=4)
def _called_often(trees: tuple[ast.Module, ...]) -> frozenset[str]:
    """Names of what loops call, and of what is handed to something else to be called."""
    inside: dict[str, set[str]] = {}
    found: set[str] = set()
    for tree in trees:
        for name, repeated, function in _calls(tree, False, ""):
            inside.setdefault(function, set()).add(name)
            if repeated:
                found.add(name)
    todo = list(found)
    while todo:
        new = inside.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


def _calls(node: ast.AST, repeated: bool, function: str) -> Iterator[tuple[str, bool, str]]:
    """What is called, whether in a loop, and by which function."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        repeated, function = False, node.name
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name):
            yield called.id, repeated, function
        elif isinstance(called, ast.Attribute):
            yield called.attr, repeated, function
        for given in (*node.args, *(k.value for k in node.keywords)):
            if isinstance(given, ast.Name):
                yield given.id, True, function
    for child in children(node):
        yield from _calls(child, repeated or isinstance(node, _REPEATING), function)


__all__ = ["least_launches"]
