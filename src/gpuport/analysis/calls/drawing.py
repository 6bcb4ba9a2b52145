"""Generators that are kept under a name and drawn from: ``feed = batches(x)``, ``next(feed)``.

What is read of such a name is no more than the items, one after the other: the generator is
followed as where it is gone through in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

_DRAWING = ("builtins.next",)
_PAIRING = ("builtins.enumerate", "builtins.zip")


def is_only_drawn_from(unit: Unit, node: ast.Assign) -> bool:
    """Whether an assignment names a generator of which nothing but items is read.

    Parameters
    ----------
    unit : Unit
        The function that the assignment stands in.
    node : ast.Assign
    """
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Name):
        return False
    if not isinstance(node.value, ast.Call) or not _is_generator(unit, node.value):
        return False
    name, scope = target.id, unit.scope
    inner = (child for child in scope.children if _reads(child, name))
    if scope.bound.get(name) != 1 or name in scope.outside or next(inner, None) is not None:
        return False
    reads = {id(n) for n in walk(unit.node) if isinstance(n, ast.Name) and n.id == name}
    drawn = {id(one) for part in walk(unit.node) for one in _drawn_from(scope, part)}
    return reads - drawn == {id(target)}


def _is_generator(unit: Unit, call: ast.Call) -> bool:
    assert unit.objects is not None
    program = unit.objects.program
    defined = program.defined(unit.scope, call.func)
    if defined is None or not isinstance(defined.node, ast.FunctionDef):
        return False
    return program.scope_of(defined.node).yields


def _reads(scope: Scope, name: str) -> bool:
    return name in scope.loads or any(_reads(child, name) for child in scope.children)


def _drawn_from(scope: Scope, node: ast.AST) -> Iterator[ast.expr]:
    """What a piece of syntax takes items of, one or all of them in turn."""
    if isinstance(node, ast.For):
        yield node.iter
        if isinstance(node.iter, ast.Call) and scope.resolve(node.iter.func) in _PAIRING:
            yield from node.iter.args
    elif isinstance(node, ast.Call) and scope.resolve(node.func) in _DRAWING:
        yield from node.args[:1]


__all__ = ["is_only_drawn_from"]
