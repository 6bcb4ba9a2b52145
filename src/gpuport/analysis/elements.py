"""Whether a loop goes over the elements of arrays, and what it does to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.flows import Flow
from gpuport.analysis.modulelevel import global_value
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import is_arraylike
from gpuport.source.syntax import bound_in, inside, walk


def changes_elements(node: ast.For | ast.While) -> bool:
    """Whether ``v += 1`` is done to an element of an array: were it a row, the array would change.

    That of a number changes nothing but the name.
    """
    elements: set[str] = set()
    changed: set[str] = set()
    for inner in inside(node):
        if isinstance(inner, ast.For):
            elements |= {n.id for n in ast.walk(inner.target) if isinstance(n, ast.Name)}
        elif isinstance(inner, ast.Assign) and _names_element(inner.value):
            elements |= {n for target in inner.targets for n in bound_in(target)}
        elif isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
            changed.add(inner.target.id)
    return bool(elements & changed)


def _names_element(value: ast.expr) -> bool:
    if isinstance(value, (ast.Tuple, ast.List)):
        return any(map(_names_element, value.elts))
    if isinstance(value, ast.IfExp):
        return _names_element(value.body) or _names_element(value.orelse)
    return isinstance(value, (ast.Subscript, ast.Name, ast.Attribute))


def works_on_elements(unit: Unit, node: ast.For | ast.While) -> bool:
    """Whether the loop subscripts arrays by what changes in it, or goes over an array."""
    memory = unit.project.compiled.elementwise
    names = memory.get(id(node))
    if names is None:
        names = memory[id(node)] = _taken_by_element(unit, node)
    for name in names:
        flow = _read(unit, name)
        if flow is not None and is_arraylike(flow.value):
            return True
    return False


def _taken_by_element(unit: Unit, node: ast.For | ast.While) -> frozenset[str]:
    """Names that the loop goes over, or subscripts by what changes in it."""
    changing = unit.project.bound_in(node)
    found: set[str] = set()
    for inner in inside(node):
        if isinstance(inner, ast.For):
            found |= set(_gone_over(inner.iter))
        elif isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name):
            index = walk(inner.slice)
            if any(isinstance(n, ast.Name) and n.id in changing for n in index):
                found.add(inner.value.id)
    return frozenset(found)


def _gone_over(node: ast.expr) -> Iterator[str]:
    """The arrays of ``x``, ``enumerate(zip(x, y[1:]))``, ``x.T``, ``x.flat``."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        for argument in node.args:
            yield from _gone_over(argument)
    elif isinstance(node, ast.Attribute):
        if node.attr in ("T", "flat"):
            yield from _gone_over(node.value)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield from _gone_over(node.value)


def _read(unit: Unit, name: str) -> Flow | None:
    if name in unit.env or unit.scope.binds(name):
        return unit.env.get(name)
    return global_value(unit, name)
