"""Names that a loop adds a value of each item to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.batch.columns import column, to_host
from gpuport.batch.records import FORM, Item, Known, Refused

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def is_float(body: Body, value: ast.expr) -> bool:
    """Whether linear algebra has a part in a value."""
    for node in ast.walk(value):
        if isinstance(node, ast.Name) and node.id in body.floats:
            return True
        path = body.scope.source.resolve(node.func) if isinstance(node, ast.Call) else None
        if path is not None and path.startswith("numpy.linalg."):
            return True
    return False


def add(body: Body, node: ast.AugAssign, name: str, item: Item) -> None:
    """What grows by one value of each item: by their sum, added in another order."""
    if not item.stacked:
        add_number(body, node, name, item)
        return
    moved, known = id(node.value) in body.moved, body.scope.known.get(name, Known())
    is_number = known.kind == "number" and item.rank == 0
    is_array = known.kind == "array" and known.rank != 0 and not moved
    if not (is_number or is_array) or not is_float(body, node.value):
        raise Refused(FORM, node, f"it is not followed what is added to `{name}`")
    total = f"{{batched}}.total({item.text}, {name})"
    if is_array:
        body.scope.guard.adds[name] = None
        body.shown(name)
        body.emit(f"{name} += {total}")
    elif moved:
        body.emit(f"{name} += {to_host(total, moved=True)}[()]")
    else:  # not `+=`: that would change the array that an earlier loop gave
        body.emit(f"{name} = {name} + {total}")


def add_numbers(body: Body, node: ast.AugAssign, name: str) -> None:
    """``total += float(x)``: Python adds its numbers one by one, as the loop did."""
    if body.scope.known.get(name, Known()).kind != "number":
        raise Refused(FORM, node, f"it is not followed what is added to `{name}`")
    body.emit(f"{name} = sum({column(body.scope, node.value, body.moved)}, {name})")


def add_number(body: Body, node: ast.AugAssign, name: str, item: Item) -> None:
    """``n += 1``: as often as there are items."""
    scope = body.scope
    whole = isinstance(node.value, ast.Constant) and type(node.value.value) is int
    known = scope.known.get(name, Known()).kind == "number"
    names = [one for one in scope.guard.stacks if one not in scope.guard.along]
    if not (whole and known and (scope.chosen or names)) or scope.grouped:
        raise Refused(FORM, node, f"it is not followed what is added to `{name}`")
    count = f"{scope.chosen}.size" if scope.chosen else f"len({names[0]})"
    body.emit(f"{name} += {count}" + (f" * {item.text}" if item.text != "1" else ""))


def summed(body: list[ast.stmt]) -> frozenset[str]:
    """Names that a body adds to and does nothing else with."""
    parts = [part for statement in body for part in ast.walk(statement)]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    found = {
        part.target.id: names.count(part.target.id) for part in parts
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add)
        and isinstance(part.target, ast.Name)
    }  # fmt: skip
    return frozenset(name for name, uses in found.items() if uses == 1)
