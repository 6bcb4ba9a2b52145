"""Names that a loop adds a value of each item to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.batch.arguments import aligned, array
from gpuport.batch.columns import column, to_host
from gpuport.batch.expressions import translate
from gpuport.batch.precedence import enclosed
from gpuport.batch.records import FORM, Item, Known, Refused
from gpuport.batch.scope import Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def add(body: Body, node: ast.stmt, name: str, value: ast.expr, *, anew: bool = False) -> None:
    """What grows by one value of each item: by their sum, added in another order.

    Parameters
    ----------
    body : Body
    node : ast.stmt
        ``name += value``, or ``name = name + value``.
    name : str
    value : ast.expr
    anew : bool
        Whether the name is bound to a new array each time.
    """
    scope, body.grown = body.scope, True
    item = array(scope, value, translate(scope, value))
    if not item.stacked:
        _add_number(body, node, name, value)
        return
    moved, known = id(value) in body.moved, scope.known.get(name, Known())
    # An array that is added to a number makes it one; what is a guess is more likely a number.
    is_number = known.kind == "number" and not (item.rank and scope.ranks)
    is_array = known.kind == "array" and known.rank != 0 and not moved
    if not (is_number or is_array):
        raise Refused(FORM, node, f"it is not followed what is added to `{name}`")
    total = _total(scope, value, item, name)
    if is_array:
        scope.guard.adds[name] = None
    if is_array and not anew:
        body.shown(name)
        body.emit(f"{name} += {total}")
    elif moved:
        number = to_host(total, moved=True) + ("" if item.rank else "[()]")
        body.emit(f"{name} = {name} + {number}" if anew or item.rank else f"{name} += {number}")
    else:  # not `+=`: that would change the array that an earlier loop gave
        body.emit(f"{name} = {name} + {total}")


def _total(scope: Scope, value: ast.expr, item: Item, name: str) -> str:
    """The text of the sum of all items: of outer products it is one product."""
    if item.factors is not None:
        first, second = item.factors
        return f"{{batched}}.total_outer({first}, {second}, {name})"
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        pair = [translate(scope, one) for one in (value.left, value.right)]
        for scale, product in (pair, pair[::-1]):
            if product.factors is not None and not scale.rank:
                first, second = product.factors
                first = f"{enclosed(aligned(scale, 1))} * {enclosed(first)}"
                return f"{{batched}}.total_outer({first}, {second}, {name})"
    return f"{{batched}}.total({item.text}, {name})"


def add_numbers(body: Body, node: ast.AugAssign, name: str) -> None:
    """``total += float(x)``: Python adds its numbers one by one, as the loop did."""
    body.grown = True
    if body.scope.known.get(name, Known()).kind != "number":
        raise Refused(FORM, node, f"it is not followed what is added to `{name}`")
    body.emit(f"{name} = sum({column(body.scope, node.value, body.moved)}, {name})")


def _add_number(body: Body, node: ast.stmt, name: str, value: ast.expr) -> None:
    """``n += 1``: as often as there are items."""
    scope = body.scope
    whole = isinstance(value, ast.Constant) and type(value.value) is int
    known = scope.known.get(name, Known()).kind == "number"
    names = [one for one in scope.guard.stacks if one not in scope.guard.along]
    if not (whole and known and (scope.chosen or names)) or scope.grouped:
        raise Refused(FORM, node, f"it is not followed what is added to `{name}`")
    count = f"{scope.chosen}.size" if scope.chosen else f"len({scope.guard.called(names[0])})"
    text = scope.source.segment(value)
    body.emit(f"{name} += {count}" + (f" * {text}" if text != "1" else ""))


def summed(body: list[ast.stmt]) -> frozenset[str]:
    """Names that a body adds to and does nothing else with."""
    parts = [part for statement in body for part in walk(statement)]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    found: set[str] = set()
    for part in parts:
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add):
            if isinstance(part.target, ast.Name) and names.count(part.target.id) == 1:
                found.add(part.target.id)
        elif isinstance(part, ast.Assign):
            name, _ = added(part)
            if name and names.count(name) == 2:
                found.add(name)
    return frozenset(found)


def added(node: ast.Assign) -> tuple[str, ast.expr]:
    """The name and the other operand of ``name = name + value``; no name for anything else."""
    (target, *others), value = node.targets, node.value
    if others or not isinstance(target, ast.Name):
        return "", value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        for one, other in ((value.left, value.right), (value.right, value.left)):
            if isinstance(one, ast.Name) and one.id == target.id:
                return target.id, other
    return "", value
