"""Methods of lists, tuples and dicts."""

from __future__ import annotations

import ast

from gpuport.analysis.arguments import arguments
from gpuport.analysis.changedlists import CHANGING
from gpuport.analysis.flows import Flow
from gpuport.analysis.hostcalls import unknown_call, unknown_reason
from gpuport.analysis.nesting import tuples
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


def container_method(unit: Unit, node: ast.Call, function: ast.Attribute, base: Flow) -> Flow:
    """A method of a list, tuple or dict."""
    from gpuport.analysis.expressions import kept
    from gpuport.analysis.subscripts import change_container

    args = arguments(unit, node)
    unit.follow(function.value)
    value = base.value
    of = value.of if isinstance(value, (Sequence, Mapping)) else UNKNOWN
    adds = {"append": 0, "insert": 1, "add": 0, "setdefault": 1}
    if function.attr in CHANGING:
        change_container(unit, function.value, base)
    if function.attr in adds and base.origin is not None:
        for argument in args[adds[function.attr] :]:
            unit.put(
                base.origin, argument.expression, kept(unit, argument.expression, argument.flow)
            )
        if function.attr != "setdefault":
            return Flow(Scalar("None"))
        given = args[-1].flow.value
        given = join(of, given) if of != EMPTY else given
        return Flow(given, unit.item_of(base.origin, given))
    held = base.origin if on_device_possible(of) else None
    views: dict[str, Value] = {
        "values": Sequence(of, list=False),
        "keys": Sequence(Scalar("str"), list=False),
        "copy": value,
        "pop": of,
        "get": of,
    }
    if function.attr == "keys":
        return Flow(views["keys"])
    if function.attr == "items":
        return tuples(unit, node, (Scalar("str"), of), (None, unit.item_of(held, of)))
    if function.attr == "get" and len(args) < 2:
        if held is None:
            return Flow(Unknown("a value that may be None"))
        return _optional(unit, of, base)
    if function.attr in views and not any(a.flow.origin is not None for a in args):
        one = function.attr in ("pop", "get")
        return Flow(views[function.attr], unit.item_of(held, of) if one else held)
    if function.attr in ("extend", "update") and len(args) == 1:
        flow = args[0].flow
        if isinstance(flow.value, (Sequence, Mapping)) and flow.origin and base.origin:
            unit.graph.unite(base.origin, flow.origin)
            return Flow(Scalar("None"))
    if function.attr in ("clear", "reverse", "index", "count", "remove", "sort"):
        compares = function.attr not in ("clear", "reverse")
        if compares and on_device_possible(of) and base.origin is not None:
            unit.escape(function.value, base, unknown_reason(unit, node))
        return Flow(Scalar())
    for argument in args if function.attr in CHANGING else ():
        if function.attr in adds or is_container(argument.flow.value):
            check_kind(unit, function.value, base, argument.flow)
    unit.escape(function.value, base, unknown_reason(unit, node))
    return unknown_call(unit, node, args)


def _optional(unit: Unit, of: Value, base: Flow) -> Flow:
    """An item where there is one, else None."""
    return Flow(join(of, NONE) if of != EMPTY else UNKNOWN, unit.item_of(base.origin, of))


__all__ = ["container_method"]
