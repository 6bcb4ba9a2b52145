"""Names that a body binds anew: under conditions, and from trip to trip of a loop within."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.rules.stacking import stacking

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def rebind(body: Body, node: ast.stmt, name: str, item: Item) -> None:
    """Bind a name anew that holds a value for each item: for the chosen items alone."""
    scope = body.scope
    if body.made[name] == scope.chosen:
        body.emit(f"{name} = {item.text}")
        scope.bound[name] = replace(item, text=name, tight=True, column="", factors=None)
        return
    before = scope.bound[name]
    plain = not (item.results or item.sizes or before.results or before.sizes)
    if body.made[name] or not plain or not (item.stacked and before.stacked):
        raise Refused(FORM, node, f"`{name}` is bound under a condition")
    if item.rank != before.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{name}` has other axes under a condition")
    if name not in body.floats:  # an array holds whole numbers or others, not some of both
        raise Refused(FORM, node, f"`{name}` may hold whole numbers before a condition")
    _freeze(body, name)
    body.emit(f"{name} = {{batched}}.replaced({name}, {scope.chosen}, {item.text})")
    scope.bound[name] = Item(f"{name}[{scope.chosen}]", item.rank, stacked=True, tight=True)


def as_own(body: Body, name: str, node: ast.AST) -> None:
    """Give a name that stands for items of an array a variable of its own."""
    item = body.scope.bound.get(name)
    if item is None or name in body.made:
        return
    if item.results or item.sizes:
        raise Refused(FORM, node, f"`{name}` is bound anew")
    if item.text != name:
        body.emit(f"{name} = {item.text}")
    body.scope.bound[name] = replace(item, text=name, tight=True, column="", factors=None)
    body.made[name] = body.scope.chosen


def _freeze(body: Body, name: str) -> None:
    """Have nothing changed that shares memory with a name which some items bind anew.

    Raises
    ------
    Refused
        Where something is changed later.
    """
    bound = body.scope.bound
    shared = {
        other for other, item in bound.items()
        if other != name and item.views & bound[name].views
    }  # fmt: skip
    if shared:
        body.frozen |= {name, *shared}


def note_floats(body: Body, names: Iterable[str], value: ast.expr) -> None:
    """Keep which names hold no whole numbers now."""
    if _gives_floats(body, value):
        body.floats |= set(names)
    else:
        body.floats -= set(names)


def _gives_floats(body: Body, value: ast.expr) -> bool:
    """Whether a value holds no whole numbers: linear algebra or a division has a part in it."""
    if isinstance(value, ast.Name):
        return value.id in body.floats
    if isinstance(value, ast.BinOp):
        divides = isinstance(value.op, ast.Div)
        return divides or any(_gives_floats(body, one) for one in (value.left, value.right))
    if isinstance(value, (ast.Attribute, ast.Subscript, ast.Starred)):
        return _gives_floats(body, value.value)
    if isinstance(value, ast.UnaryOp):
        return _gives_floats(body, value.operand)
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (float, complex))
    path = body.scope.source.resolve(value.func) if isinstance(value, ast.Call) else None
    if path is None or not path.startswith("numpy.linalg."):
        return False
    return path not in stacking().whole_numbers
