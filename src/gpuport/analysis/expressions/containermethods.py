"""Methods of lists, tuples and dicts."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.analysis.calls.arguments import Argument, arguments, is_spread
from gpuport.analysis.calls.hostcalls import unknown_call, unknown_reason
from gpuport.analysis.expressions.choosing import announce_key, item_by_key
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.otherkinds import check_kind
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.statements.partstores import change_container
from gpuport.analysis.values.contents import key_of, objects_in
from gpuport.analysis.values.lattice import (
    EMPTY,
    NONE,
    UNKNOWN,
    Mapping,
    Scalar,
    Sequence,
    Value,
    elements,
    is_container,
    join,
    on_device_possible,
)
from gpuport.analysis.values.nesting import fill, held_by, put, tuples, under
from gpuport.source.changedlists import CHANGING

_ADDING = {"append": 0, "insert": 1, "add": 0, "setdefault": 1}
"""Methods that add items, and after how many arguments these come."""

_BY_KEY = frozenset({"get", "pop", "setdefault"})
"""Methods that are given a key."""

_PLACED = frozenset({"insert", "index", "count", "remove"})
"""Methods of lists that are given a place, or what to look for."""

_LOOKING = frozenset({"clear", "reverse", "index", "count", "remove", "sort"})
"""Methods that give no item and add none."""


def container_method(unit: Unit, node: ast.Call, function: ast.Attribute, base: Flow) -> Flow:
    """A method of a list, tuple or dict."""
    name = function.attr
    by_key = announce_key(unit, node, arguments=0) if name == "sort" else None
    if name == "extend":  # a generator that it is given runs here
        unit.marked.consume(*node.args)
    args = arguments(unit, node)
    unit.follow(function.value)
    if name in _BY_KEY | _PLACED and args:  # what is looked up is a value of Python's
        unit.to_host(args[0].expression, args[0].flow)
    key, of = _asked_for(unit, node, name, base, args)
    if name in CHANGING:
        change_container(unit, function.value, base)
    if by_key is not None and item_by_key(unit, node, by_key, function.value, base, args):
        return Flow(Scalar("None"))
    if name in _ADDING and base.origin is not None:
        return _adding(unit, name, of, base.origin, args, key)
    if name in ("get", "pop"):
        return _taken(unit, name, args, base, of, key)
    found = _looked_up(unit, node, name, base, of)
    if found is not None:
        return found
    if name == "update" and isinstance(base.value, Mapping) and _updated(unit, base, args):
        return Flow(Scalar("None"))
    if name in ("extend", "update") and len(args) == 1:
        flow = args[0].flow
        held = isinstance(flow.value, (Sequence, Mapping)) and (
            flow.origin or objects_in(flow.value)
        )
        if held and base.origin:
            if flow.origin:
                unit.graph.unite(base.origin, flow.origin)
            else:  # of instances alone
                fill(unit.graph, base.origin, held_by(flow.value))
            unit.follow(args[0].expression)
            return Flow(Scalar("None"))
        item = elements(flow.value) if name == "extend" else None
        if isinstance(item, Scalar) and base.origin:  # plain values: nothing that has a place
            put(unit, base.origin, args[0].expression, Flow(item))
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


def _asked_for(
    unit: Unit, node: ast.Call, name: str, base: Flow, args: list[Argument]
) -> tuple[str | None, Value]:
    """The key of a dict that a method is given, where it is known, and what is under it."""
    if not isinstance(base.value, Mapping):
        return None, base.value.of if isinstance(base.value, Sequence) else UNKNOWN
    key = key_of(args[0].flow.value) if name in _BY_KEY and args else None
    gives = name in _BY_KEY or name in ("items", "values")
    return key, under(unit, node, base, key) if gives else base.value.of


def _adding(
    unit: Unit, name: str, of: Value, container: Node, args: list[Argument], key: str | None
) -> Flow:
    """``found.append(x)``, ``named.setdefault(key, x)``."""
    for argument in args[_ADDING[name] :]:
        expression = argument.expression
        put(unit, container, expression, kept(unit, expression, argument.flow), key=key)
    if name != "setdefault":
        return Flow(Scalar("None"))
    given = args[-1].flow.value
    given = join(of, given) if of != EMPTY else given
    return Flow(given, unit.item_of(container, given, key))


def _updated(unit: Unit, base: Flow, args: list[Argument]) -> bool:
    """``settings.update(others, tol=tol)``, of dicts that are followed; False for anything else."""
    others = [one for one in args if one.keyword in (None, "**")]
    known = [isinstance(one.flow.value, Mapping) and not is_spread(one) for one in others]
    if base.origin is None or not all(known):
        return False
    for one in args:
        if one not in others:
            flow = kept(unit, one.expression, one.flow)
            put(unit, base.origin, one.expression, flow, key=one.keyword)
        elif one.flow.origin is not None:
            unit.graph.unite(base.origin, one.flow.origin)
        else:
            fill(unit.graph, base.origin, held_by(one.flow.value))
        unit.follow(one.expression)
    return True


def _taken(
    unit: Unit, name: str, args: list[Argument], base: Flow, of: Value, key: str | None
) -> Flow:
    """``found.get(key)``, ``found.pop(key)``: what is under the key, or what is given instead."""
    taken = Flow(of, unit.item_of(base.origin, of, key))
    instead = args[1].flow if len(args) > 1 else Flow(NONE)
    if len(args) < 2 and name == "pop":
        return taken
    if of == EMPTY:  # nothing is there yet, so that this is not known of what comes there
        return Flow(UNKNOWN) if instead.origin is None else replace(instead, fresh=False)
    return unit.join_flows(taken, instead)


def _looked_up(unit: Unit, node: ast.Call, name: str, base: Flow, of: Value) -> Flow | None:
    """``named.keys()``, ``named.items()``; None for other methods."""
    held = base.origin if on_device_possible(of) else None
    if name == "keys":
        return Flow(Sequence(Scalar("str"), list=False))
    if name == "items":
        return tuples(unit, node, (Scalar("str"), of), (None, unit.item_of(held, of)))
    if name in ("values", "copy"):
        value = base.value if name == "copy" else Sequence(of, list=False)
        return Flow(value, base.origin if on_device_possible(value) else None)
    return None


__all__ = ["container_method"]
