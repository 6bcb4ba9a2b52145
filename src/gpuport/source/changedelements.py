"""Elements of arrays that a loop changes under a name of their own: ``p = x[i]``, ``p += 1``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.source.syntax import bound_in, inside


def behind_changed_elements(node: ast.AST, functions: Mapping[str, ast.AST]) -> set[str]:
    """Names of which elements are changed by ``v += 1``: were these rows, arrays would change.

    That of a number changes nothing but the name.

    Parameters
    ----------
    node : ast.AST
        A loop, or a function.
    functions : mapping of str to ast.AST
        Those that it may call, by their names.
    """
    behind: dict[str, set[str]] = {}
    changed: set[str] = set()
    for inner in inside(node):
        if isinstance(inner, ast.For):
            names, source = bound_in(inner.target), inner.iter
        elif isinstance(inner, ast.Assign) and _names_element(inner.value):
            names, source = frozenset().union(*map(bound_in, inner.targets)), inner.value
        elif isinstance(inner, ast.AnnAssign) and inner.value is not None:
            names, source = bound_in(inner.target), inner.value
        else:
            if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
                changed.add(inner.target.id)
            continue
        read = {one.id for one in ast.walk(source) if isinstance(one, ast.Name)}
        for name in names:
            behind.setdefault(name, set()).update(read)
    found = {
        one.id for call in inside(node) if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name) and _changes_parameter(functions.get(call.func.id))
        for given in (*call.args, *(k.value for k in call.keywords)) if _names_element(given)
        for one in ast.walk(given) if isinstance(one, ast.Name)
    }  # fmt: skip
    waiting = [*found, *(name for name in changed if name in behind)]
    while waiting:
        new = behind.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _changes_parameter(function: ast.AST | None) -> bool:
    """Whether a function adds to one of its parameters in place."""
    if not isinstance(function, ast.FunctionDef):
        return False
    names = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    return any(
        isinstance(one, ast.AugAssign) and getattr(one.target, "id", None) in names
        for one in ast.walk(function)
    )


def _names_element(value: ast.expr) -> bool:
    if isinstance(value, (ast.Tuple, ast.List)):
        return any(map(_names_element, value.elts))
    if isinstance(value, ast.IfExp):
        return _names_element(value.body) or _names_element(value.orelse)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        given = (*value.args, *(one.value for one in value.keywords))
        return value.func.id not in _NEW and any(map(_names_element, given))
    return isinstance(value, (ast.Subscript, ast.Name, ast.Attribute))


_NEW = frozenset(("abs", "bool", "complex", "divmod", "float", "int", "len", "pow", "round"))
"""Builtins that give none of their arguments."""
