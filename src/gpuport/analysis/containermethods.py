"""Methods of lists, tuples and dicts."""

from __future__ import annotations

import ast

from gpuport.analysis.arguments import Argument, arguments
from gpuport.analysis.changedlists import CHANGING
from gpuport.analysis.flows import Flow
from gpuport.analysis.graph import Node
from gpuport.analysis.hostcalls import unknown_call, unknown_reason
from gpuport.analysis.nesting import put, tuples
from gpuport.analysis.otherkinds import check_kind
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    EMPTY,
    NONE,
    UNKNOWN,
    Mapping,
    Scalar,
    Sequence,
    Unknown,
    Value,
    is_container,
    join,
    on_device_possible,
)

_ADDING = {"append": 0, "insert": 1, "add": 0, "setdefault": 1}
"""Methods that add items, and after how many arguments these come."""

_LOOKING = frozenset({"clear", "reverse", "index", "count", "remove", "sort"})
"""Methods that give no item and add none."""


def container_method(unit: Unit, node: ast.Call, function: ast.Attribute, base: Flow) -> Flow:
    """A method of a list, tuple or dict."""
    from gpuport.analysis.subscripts import change_container

    args = arguments(unit, node)
    unit.follow(function.value)
    value, name = base.value, function.attr
    of = value.of if isinstance(value, (Sequence, Mapping)) else UNKNOWN
    if name in CHANGING:
        change_container(unit, function.value, base)
    if name in _ADDING and base.origin is not None:
        return _adding(unit, name, of, base.origin, args)
    found = _looked_up(unit, node, name, base, of, args)
    if found is not None:
        return found
    if name in ("extend", "update") and len(args) == 1:
        flow = args[0].flow
        if isinstance(flow.value, (Sequence, Mapping)) and flow.origin and base.origin:
            unit.graph.unite(base.origin, flow.origin)
            return Flow(Scalar("None"))
    if name in _LOOKING:
        compares = name not in ("clear", "reverse")
        if compares and on_device_possible(of) and base.origin is not None:
            unit.escape(function.value, base, unknown_reason(unit, node))
        return Flow(Scalar())
    for argument in args if name in CHANGING else ():
        if name in _ADDING or is_container(argument.flow.value):
            check_kind(unit, function.value, base, argument.flow)
    unit.escape(function.value, base, unknown_reason(unit, node))
    return unknown_call(unit, node, args)


def _adding(unit: Unit, name: str, of: Value, container: Node, args: list[Argument]) -> Flow:
    """``found.append(x)``, ``named.setdefault(key, x)``."""
    from gpuport.analysis.expressions import kept

    for argument in args[_ADDING[name] :]:
        expression = argument.expression
        put(unit, container, expression, kept(unit, expression, argument.flow))
    if name != "setdefault":
        return Flow(Scalar("None"))
    given = args[-1].flow.value
    given = join(of, given) if of != EMPTY else given
    return Flow(given, unit.item_of(container, given))


def _looked_up(
    unit: Unit, node: ast.Call, name: str, base: Flow, of: Value, args: list[Argument]
) -> Flow | None:
    """``named.get(key)``, ``named.items()``, ``found.pop()``; None for other methods."""
    held = base.origin if on_device_possible(of) else None
    if name == "keys":
        return Flow(Sequence(Scalar("str"), list=False))
    if name == "items":
        return tuples(unit, node, (Scalar("str"), of), (None, unit.item_of(held, of)))
    if name == "get" and len(args) < 2:
        if held is None:
            return Flow(Unknown("a value that may be None"))
        return Flow(join(of, NONE) if of != EMPTY else UNKNOWN, unit.item_of(base.origin, of))
    if any(argument.flow.origin is not None for argument in args):
        return None
    if name in ("pop", "get"):
        return Flow(of, unit.item_of(held, of))
    if name in ("values", "copy"):
        return Flow(base.value if name == "copy" else Sequence(of, list=False), held)
    return None


__all__ = ["container_method"]
