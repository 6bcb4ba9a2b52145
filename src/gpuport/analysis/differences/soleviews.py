"""Views after which nothing reaches the array that they are made of: they may be copies of it.

A view is that where it takes a name, and the array has no other: either it takes the array's own
name, or the array was made for this view and is read nowhere else.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.numpynames import as_numpy, positional_name
from gpuport.analysis.placement.graph import Node
from gpuport.source.syntax import LOOPS, walk

Parents = Mapping[int, ast.AST]


def is_all_that_is_left(unit: Unit, parents: Parents, call: ast.Call, root: Node) -> bool:
    """Whether what a call gives is the only way left to the array that it is made of.

    ``root`` is that array's group.
    """
    assigned = parents.get(id(call))
    if not isinstance(assigned, ast.Assign):
        return False
    array = _array_of(unit, call)
    return _takes_its_name(unit, assigned, array, root) or _is_read_once(
        unit, parents, assigned, array
    )


def _array_of(unit: Unit, call: ast.Call) -> ast.expr | None:
    """What the view is made of: `x` of ``x.reshape(n)``, and of ``np.reshape(x, n)``."""
    if isinstance(call.func, ast.Attribute) and unit.scope.resolve(call.func) is None:
        return call.func.value
    return call.args[0] if call.args else None


def _takes_its_name(unit: Unit, assigned: ast.Assign, array: ast.expr | None, root: Node) -> bool:
    """Whether the view takes the name, and the only one, of the array."""
    if root.parameters or not isinstance(array, ast.Name):
        return False
    names = [n for n, f in unit.env.items() if f.origin is not None and f.origin.root() is root]
    taken = [getattr(target, "id", None) for target in assigned.targets]
    return taken == names == [array.id]


def _is_read_once(
    unit: Unit, parents: Parents, assigned: ast.Assign, array: ast.expr | None
) -> bool:
    """Whether nothing reads the array, or what it is a part of, but the call that makes the view.

    It has to come from a call that makes one, under a name that is bound once.
    """
    while isinstance(array, ast.Subscript):
        array = array.value
    if not isinstance(array, ast.Name):
        return False
    named = [n for n in walk(unit.node) if isinstance(n, ast.Name) and n.id == array.id]
    bound = [n for n in named if n is not array]
    if len(bound) != 1 or not isinstance(bound[0].ctx, ast.Store):
        return False
    statement: ast.AST | None = bound[0]
    while isinstance(statement, ast.expr):
        statement = parents.get(id(statement))
    return (
        isinstance(statement, ast.Assign)
        and _makes_arrays(unit, statement.value)
        and _innermost_loop(parents, statement) is _innermost_loop(parents, assigned)
    )


def _makes_arrays(unit: Unit, value: ast.expr) -> bool:
    """Whether an expression is a call of NumPy's that gives no view, and nothing it is given."""
    if not isinstance(value, ast.Call):
        return False
    path = as_numpy(unit.scope.resolve(value.func) or "")
    if not path.startswith(("numpy.", "scipy.")) or _may_give_result(unit, path, value):
        return False
    effect = unit.knowledge.rules.effect(path)
    return effect is None or not effect.view


def _may_give_result(unit: Unit, path: str, call: ast.Call) -> bool:
    """Whether an argument may be the array that the result is written to."""
    entry, results = unit.knowledge.tables.entry(path), unit.knowledge.words.result_parameters
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return True
    if any(keyword.arg is None or keyword.arg in results for keyword in call.keywords):
        return True
    parameters = entry.parameters if entry is not None else None
    if parameters is None:
        return bool(call.args)
    names = (positional_name(parameters, place) for place in range(len(call.args)))
    return any(name in results for name in names)


def _innermost_loop(parents: Parents, node: ast.AST) -> ast.AST | None:
    above: ast.AST | None = node
    while above is not None and not isinstance(above, LOOPS):
        above = parents.get(id(above))
    return above


__all__ = ["is_all_that_is_left"]
