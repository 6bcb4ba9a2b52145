"""Arrays of places that are all different: ``order = np.argsort(x)``.

What is stored at ``r[order[k]]`` is stored in another cell for each ``k``.
"""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array
from gpuport.rules.loopfunctions import giving_distinct_places
from gpuport.source.names import walk_scopes
from gpuport.source.syntax import children, is_name

_USING = (ast.Subscript, ast.Attribute, ast.Call, ast.For, ast.Return)
"""In what such an array may stand."""
_SIZES = frozenset({"shape", "size", "ndim", "dtype"})


def distinct(unit: Unit, name: str) -> bool:
    """Whether a name stands for such an array all through its function.

    It is bound once, to what a function gives that promises it, and the function does no more with
    it than take elements, ask for its size, and give it back.
    """
    if unit.scope.bound.get(name) != 1 or unit.scope.parent is None:
        return False
    if any(name in one.loads for one in walk_scopes(unit.scope) if one is not unit.scope):
        return False  # an inner function may store into it
    nodes = unit.module.nodes
    made = sum(
        len(node.targets) == 1 and is_name(node.targets[0], name) and _promises(unit, node.value)
        for node in nodes.inside(unit.node, ast.Assign)
    )
    if made != 1:
        return False
    used, seen = 0, sum(node.id == name for node in nodes.inside(unit.node, ast.Name))
    for node in nodes.inside(unit.node, *_USING):
        if isinstance(node, ast.Subscript):
            whole = any(isinstance(part, ast.Slice) for part in ast.walk(node.slice))
            taken = isinstance(node.ctx, ast.Load) and not whole
            used += taken and is_name(node.value, name)
        elif isinstance(node, ast.Attribute):
            used += node.attr in _SIZES and is_name(node.value, name)
        elif isinstance(node, ast.Call):
            asked = unit.scope.resolve(node.func) in ("builtins.len", "builtins.enumerate")
            used += asked and any(is_name(one, name) for one in node.args)
        else:
            used += any(is_name(one, name) for one in children(node))
    return bool(seen == used + 1)


def _promises(unit: Unit, value: ast.expr) -> bool:
    """Whether a call gives places that are all different, none of them negative."""
    if not isinstance(value, ast.Call):
        return False
    path = unit.scope.resolve(value.func)
    if path is None and isinstance(value.func, ast.Attribute):
        owner = value.func.value
        flow = unit.env.get(owner.id) if isinstance(owner, ast.Name) else None
        if flow is not None and isinstance(flow.value, Array):
            path = f"numpy.ndarray.{value.func.attr}"
    return path in giving_distinct_places()


__all__ = ["distinct"]
