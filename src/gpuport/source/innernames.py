"""Names that functions inside of other code share with it, as the text shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import inside, walk


def is_inner(scope: Scope) -> bool:
    """Whether a function is one inside of other code: it knows the names around it."""
    if isinstance(scope.node, ast.Lambda):
        return True
    around = scope.parent.node if scope.parent is not None else scope.node
    return not isinstance(around, (ast.Module, ast.ClassDef))


def captured(scope: Scope) -> Iterator[str]:
    """Names of the functions around it that a function, or one inside of it, reads."""
    every = list(walk_scopes(scope))
    for name in sorted(frozenset[str]().union(*(one.loads | one.outside for one in every))):
        owners = (owner for one in every if name in one.loads | one.outside
                  for owner in one.owners(name))  # fmt: skip
        if any(_is_around(owner, scope, name) for owner in owners):
            yield name


def _is_around(owner: Scope, scope: Scope, name: str) -> bool:
    around = scope.parent
    while around is not None and around is not owner:
        around = around.parent
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return around is owner and isinstance(owner.node, functions) and name not in owner.imports


def is_bound_by_statements(scope: Scope, name: str) -> bool:
    """Whether statements alone, or one definition, bind a name around a function.

    Between statements it holds what was seen then; within one it may hold two things one after
    the other where ``:=`` binds it.
    """
    owner = scope.around(name)
    if owner is None or owner.lasting(name) == 1:
        return owner is not None
    stores = _stores(owner, name)
    within = {id(n.target) for n in inside(owner.node) if isinstance(n, ast.NamedExpr)}
    every = len(stores) + _is_parameter(owner, name) == owner.lasting(name)
    return every and not any(id(n) in within or isinstance(n.ctx, ast.Del) for n in stores)


def is_settled(scope: Scope, name: str) -> bool:
    """Whether a name around a function is not bound any more once the function is defined."""
    owner = scope.around(name)
    if owner is None or 1 in (owner.bound.get(name), owner.lasting(name)):
        return owner is not None
    stores, place = _stores(owner, name), scope.code
    every = len(stores) + _is_parameter(owner, name) == owner.lasting(name)
    if isinstance(place, ast.Module) or not every:
        return False
    before = place.lineno, place.col_offset
    around = [loop for loop in _loops(owner) if _holds(loop, place)]
    return all((one.lineno, one.col_offset) < before for one in stores) and not any(
        _holds(loop, one) for loop in around for one in stores
    )


def is_counter(scope: Scope, name: str) -> bool:
    """Whether a name that an inner function shares with the one around it only ever counts.

    It begins with a number that is written out, before the function is defined, to which numbers
    of the same type are added in the inner functions.
    """
    owner = scope.parent
    if owner is None or not isinstance(owner.node, ast.FunctionDef) or not owner.binds(name):
        return False
    sharing = [one for one in owner.children if name in one.outside]
    if owner.bound.get(name) != 1 + 2 * len(sharing):  # as `Scope` counts what others bind
        return False
    first, added = _numbers(owner, name, ast.Assign), set[type]()
    for one in sharing:
        found = _numbers(one, name, ast.AugAssign)
        added |= found if found is not None else {object}
    place = scope.node
    begins = all(one.lineno < getattr(place, "lineno", 0) for one in _stores(owner, name))
    looped = any(_holds(loop, one) for loop in _loops(owner) for one in _stores(owner, name))
    return begins and not looped and first is not None and len(first) == 1 and added == first


def _numbers(
    scope: Scope, name: str, kind: type[ast.Assign] | type[ast.AugAssign]
) -> set[type] | None:
    """The types of the numbers that a name is bound to or changed by; None for anything else."""
    found: set[type] = set()
    statements = 0
    for node in inside(scope.node):
        if not isinstance(node, kind):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if len(targets) != 1 or getattr(targets[0], "id", None) != name:
            continue
        number = node.value.value if isinstance(node.value, ast.Constant) else None
        grows = isinstance(node, ast.Assign) or isinstance(node.op, (ast.Add, ast.Sub, ast.Mult))
        if type(number) not in (int, float) or not grows:
            return None
        statements += 1
        found.add(type(number))
    return found if statements == len(_stores(scope, name)) else None


def _stores(owner: Scope, name: str) -> list[ast.Name]:
    """Where a scope binds a name by a target, by those of comprehensions not counted."""
    every = list(inside(owner.node))
    passing = {
        id(name) for node in every if isinstance(node, ast.comprehension)
        for name in walk(node.target)
    }  # fmt: skip
    return [
        node for node in every
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        and id(node) not in passing
    ]  # fmt: skip


def _is_parameter(owner: Scope, name: str) -> bool:
    arguments = getattr(owner.node, "args", None)
    return arguments is not None and any(
        isinstance(one, ast.arg) and one.arg == name for one in ast.walk(arguments)
    )


def _loops(owner: Scope) -> list[ast.stmt]:
    return [node for node in inside(owner.node) if isinstance(node, (ast.For, ast.While))]


def _holds(loop: ast.stmt, node: ast.expr | ast.stmt) -> bool:
    end = loop.end_lineno or loop.lineno
    return loop.lineno <= node.lineno <= end


__all__ = ["captured", "is_bound_by_statements", "is_counter", "is_inner", "is_settled"]
