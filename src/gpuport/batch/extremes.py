"""Names in which a loop keeps the least or the greatest value of all items."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from gpuport.batch.arguments import array, spliced
from gpuport.batch.columns import column, converter
from gpuport.batch.expressions import translate
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Refused
from gpuport.rules.stacking import stacking
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.batch.body import Body

Resolve = Callable[[ast.expr], str | None]


def kept_extremes(body: list[ast.stmt], resolve: Resolve) -> frozenset[str]:
    """Names with which a body does nothing but ``name = min(name, value)`` and the like."""
    parts = [part for statement in body for part in walk(statement)]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    found = {extreme_of(part, resolve)[0] for part in parts if isinstance(part, ast.Assign)}
    return frozenset(name for name in found if name and names.count(name) == 2)


def records_in(loop: ast.For) -> frozenset[str]:
    """Names that hold the best item so far, and what belongs to it.

    ``if x > best: best, where = x, i`` binds both: what is asked is bound by what is done, and by
    nothing else in the body.
    """
    found: set[str] = set()
    others = [loop.target, *(one for one in loop.body if not isinstance(one, ast.If))]
    each = {name for one in others for name in _bound_in(one)}
    for statement in loop.body:
        for node in walk(statement):
            if isinstance(node, ast.If):
                bound = {name for one in node.body for name in _bound_in(one)}
                asked = {part.id for part in walk(node.test) if isinstance(part, ast.Name)}
                found |= bound - each if (bound & asked) - each else set()
    return frozenset(found)


def _bound_in(node: ast.AST) -> set[str]:
    names = (part for part in walk(node) if isinstance(part, ast.Name))
    return {part.id for part in names if isinstance(part.ctx, ast.Store)}


def extreme_of(node: ast.Assign, resolve: Resolve) -> tuple[str, ast.expr]:
    """The name and the value of ``name = min(name, value)``; no name for anything else.

    Of Python's functions the name has to stand first: they take the second argument only where it
    is less, or greater, and so leave out NaN.
    """
    target, call = node.targets[0], node.value
    plain = isinstance(call, ast.Call) and len(call.args) == 2 and not call.keywords
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or not plain:
        return "", call
    assert isinstance(call, ast.Call)
    first, value = call.args
    path = resolve(call.func) or ""
    if path in stacking().extremes and isinstance(first, ast.Name) and first.id == target.id:
        return target.id, value
    return "", call


def keep(body: Body, node: ast.Assign, name: str, value: ast.expr) -> None:
    """The extreme of what a name holds and of the values of all items.

    Raises
    ------
    Refused
        Where a value is no number, or the same for all items.
    """
    scope = body.scope
    inner = value.args[0] if converter(scope, value) and isinstance(value, ast.Call) else value
    item = array(scope, value, translate(scope, inner))
    if not item.stacked:
        raise Refused(FORM, node, f"`{name}` is compared with what is the same for all items")
    assert isinstance(node.value, ast.Call)
    method = stacking().extremes[scope.source.resolve(node.value.func) or ""]
    if item.rank and not method:
        raise Refused(UNKNOWN_SHAPE, node, f"`{name}` is compared with more than numbers")
    if not method:  # Python compares the numbers one by one, as the loop did
        numbers = column(scope, value, frozenset({id(value)}))
        body.emit(f"{name} = {scope.source.segment(node.value.func)}({name}, *{numbers})")
    elif id(value) in body.moved or inner is not value:
        raise Refused(FORM, node, f"`{name}` is a number on the host")
    else:
        least = item.postfixed(f".{method}(axis=0)")
        body.emit(
            spliced(
                scope, node, [(node.value.func, scope.source.function(node.value)), (value, least)]
            )
        )
