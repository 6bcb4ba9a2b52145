"""Covariances of the items of a stack, whose axes depend on how many variables there are."""

from __future__ import annotations

import ast

from gpuport.batch.arguments import fixed, flag, is_none, named, not_followed, of_rank, one_array
from gpuport.batch.records import Item, own_memory
from gpuport.batch.scope import Scope

_OPTIONS = ("rowvar", "bias", "ddof")


def covariance(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.cov(x)``, ``np.corrcoef(x, rowvar=False)`` of items with two axes.

    Of a single variable NumPy gives a number: at run time there have to be more.
    """
    name = (scope.source.resolve(node.func) or "").removeprefix("numpy.")
    options = _OPTIONS if name == "cov" else _OPTIONS[:1]
    given = named(scope, node, ("m" if name == "cov" else "x", "y", *options))
    second = given.pop("y", None)
    if not given.keys() & {"m", "x"} or not (second is None or is_none(second)):
        raise not_followed(scope, node)
    data = given.pop("m" if name == "cov" else "x")
    item = one_array(scope, data)
    of_rank(scope, data, item, 2)
    if not item.stacked:
        raise not_followed(scope, node)
    in_rows = flag(scope, given["rowvar"]) if "rowvar" in given else True
    several(scope, data, 0 if in_rows else 1, node)
    more = "".join(f", {key}={fixed(scope, value)}" for key, value in given.items())
    return Item(f"{{batched}}.{name}({item.text}{more})", 2, stacked=True, tight=True)


def several(scope: Scope, node: ast.expr, axis: int, call: ast.Call) -> None:
    """Have items asked for more than one row or column at run time.

    Where they are no items of the loop's own, the call on their stack asks, and the loop runs
    where it finds one.
    """
    while isinstance(node, ast.Attribute) and node.attr == "T":
        node, axis = node.value, 1 - axis
    name = _held(scope, node)
    if not name or name in scope.guard.along:
        scope.uneven.append(call)
        return
    scope.guard.several[name, axis] = None


def _held(scope: Scope, node: ast.expr) -> str:
    """The stack, list or parameter whose items these are; empty for anything else."""
    item = scope.bound.get(node.id) if isinstance(node, ast.Name) else None
    if item is None or not isinstance(node, ast.Name) or own_memory(node.id) in item.views:
        return ""
    listed = (name for name, variables in scope.variables.items() if variables == (item.text,))
    whole = item.text in scope.guard.stacks or item.text in scope.parameters
    return next(listed, item.text if whole else "")
