"""What a boundary has to ask for where a value must be an array."""

from __future__ import annotations

import ast

from gpuport.analysis.explanation.causes import arguments
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Either, Unknown, on_device_possible
from gpuport.rules.numpynames import as_numpy
from gpuport.source.syntax import walk

_DEEPEST = 12
"""Names that are followed back one after the other."""


def demand_array(unit: Unit, expression: ast.expr, value: object) -> None:
    """Note which parameters must be arrays for a value to be one.

    What is made element by element of several parameters is an array where one of them is:
    of ``y`` after ``y = np.exp(-x / h)`` only ``x`` is asked. What else may be an array or a number
    asks for all that it comes from.
    """
    required = unit.parameters.required
    sources: frozenset[str] = getattr(value, "sources", frozenset())
    if len(sources) > 1 and isinstance(value, Either):
        joined = _joined(unit, expression, 0)
        if joined is not None and sources <= joined:
            if not sources & required:
                required.update([n for n in arguments(unit.node) if n in sources][:1])
            return
    required |= sources


def _joined(unit: Unit, node: ast.expr, depth: int) -> frozenset[str] | None:
    """The parameters that an expression joins element by element; None where it does more."""
    if depth > _DEEPEST:
        return None
    parts: list[ast.expr]
    if isinstance(node, ast.Constant):
        return frozenset()
    if isinstance(node, ast.Name):
        return _of_name(unit, node, depth)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.Call):
        given = _elementwise(unit, node)
        if given is None:
            return None
        parts = given
    else:
        return None
    found = [_joined(unit, part, depth + 1) for part in parts]
    known = [names for names in found if names is not None]
    return frozenset().union(*known) if len(known) == len(found) else None


def _of_name(unit: Unit, node: ast.Name, depth: int) -> frozenset[str] | None:
    bound = [n for n in walk(unit.node) if isinstance(n, ast.Assign) and _binds(n, node.id)]
    if node.id in arguments(unit.node):
        return None if _rebound(unit, node.id) else frozenset((node.id,))
    if len(bound) == 1 and _rebound(unit, node.id) == 1:
        return _joined(unit, bound[0].value, depth + 1)
    flow = unit.env.get(node.id)
    plain = flow is not None and not isinstance(flow.value, (Array, Either, Unknown))
    return frozenset() if plain and flow and not on_device_possible(flow.value) else None


def _binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _rebound(unit: Unit, name: str) -> int:
    """How often a function binds a name, changes in place apart."""
    changed = {id(n.target) for n in walk(unit.node) if isinstance(n, ast.AugAssign)}
    return sum(
        isinstance(n, ast.Name)
        and n.id == name
        and not isinstance(n.ctx, ast.Load)
        and id(n) not in changed
        for n in walk(unit.node)
    )


def _elementwise(unit: Unit, node: ast.Call) -> list[ast.expr] | None:
    """What a call works on element by element, and gives in the same shape."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        return [node.func.value]
    path = unit.scope.resolve(node.func)
    entry = unit.knowledge.tables.entry(as_numpy(path)) if path is not None else None
    if entry is None or entry.kind != "ufunc" or node.keywords:
        return None
    return list(node.args)


__all__ = ["demand_array"]
