"""Builtins that go over what they are given, item by item."""

from __future__ import annotations

import ast

from gpuport.analysis.batches.gains import called_gains
from gpuport.analysis.batches.loops import noted
from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.expressions.iterating import is_nothing_yet, iterate, numbers_apart
from gpuport.analysis.expressions.plainbuiltins import unfollowed
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    EMPTY,
    INT,
    UNKNOWN,
    Sequence,
    Value,
    is_container,
    on_device_possible,
)
from gpuport.analysis.values.nesting import tuples
from gpuport.rules.libraries import library_of

_PAIR = 2


def range_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``range(n)``: its bounds are wanted on the host."""
    for argument in args:
        unit.to_host(argument.expression, argument.flow)
    return Flow(Sequence(INT, list=False))


def enumerated(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``enumerate(arrays)``: pairs of a number and an item."""
    item, origin = _item(unit, node, args[0]) if args else (UNKNOWN, None)
    return tuples(unit, node, (INT, item), (None, origin))


def zipped(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``zip(a, b)``: tuples of an item of each."""
    items: list[Value] = []
    origins: list[Node | None] = []
    for argument in args:
        if argument.keyword is not None:
            continue
        item, one = _item(unit, node, argument)
        items.append(item)
        origins.append(one)
    return tuples(unit, node, tuple(items), origins)


def _item(unit: Unit, node: ast.Call, argument: Argument) -> tuple[Value, Node | None]:
    """What going through an argument gives; a loop over it may wait for there to be something."""
    if is_nothing_yet(argument.flow.value):
        return EMPTY, None
    flow = numbers_apart(unit, argument.expression, argument.flow)
    item, origin = iterate(unit, node, argument.expression, flow)
    return item, origin


def take_apart(unit: Unit, target: ast.expr, through: ast.expr) -> None:
    """Note which tuples a loop takes apart at once: ``for i, (x, y) in enumerate(zip(xs, ys))``."""
    if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(through, ast.Call):
        return
    path = unit.scope.resolve(through.func)
    items: list[tuple[ast.expr, ast.expr]] = []
    if path == "builtins.zip" and len(through.args) == len(target.elts):
        items = list(zip(target.elts, through.args, strict=True))
    elif path == "builtins.enumerate" and through.args and len(target.elts) == _PAIR:
        items = [(target.elts[1], through.args[0])]
    if not items or any(isinstance(e, ast.Starred) for e in (*target.elts, *through.args)):
        return
    unit.marked.taken_apart.add(id(through))
    for inner, argument in items:
        take_apart(unit, inner, argument)


def next_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``next(feed)``: an item of what is gone through, or else what is given instead."""
    if not args or not is_container(args[0].flow.value) or args[0].position is None:
        return unfollowed(unit, node, args)
    item, origin = _item(unit, node, args[0])
    drawn = Flow(item, origin if on_device_possible(item) else None, view=True)
    return drawn if len(args) == 1 else unit.join_flows(drawn, args[1].flow)


def mapped(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``map(np.linalg.solve, matrices, rights)``: a call of NumPy for each item."""
    from gpuport.analysis.calls.numpycalls import numpy_call

    path = unit.scope.resolve(node.args[0]) if node.args else None
    plain = len(args) > 1 and not node.keywords and all(a.position is not None for a in args)
    plain = plain and (id(node) in unit.marked.exhausted or id(node) in unit.marked.consumed)
    if path is None or library_of(path) is None or not plain:
        if node.args:
            tell_of_calls(unit, node, node.args[0])
        return unfollowed(unit, node, args)
    items = [iterate(unit, node, a.expression, a.flow) for a in args[1:]]
    if any(origin is None for _, origin in items):
        return unfollowed(unit, node, args)
    call = unit.project.equivalents.call_of_each(node)
    names = [a.id for a in call.args if isinstance(a, ast.Name)]
    before = {name: unit.env[name] for name in names if name in unit.env}
    has_form = id(node) in unit.marked.exhausted and noted(unit, node)
    for name, (item, origin) in zip(names, items, strict=True):
        unit.env[name] = Flow(item, origin, view=True)
    with unit.within_stacked(has_form), unit.loop(frozenset(names), node):
        result = numpy_call(unit, call, path)
    for name in names:
        del unit.env[name]
    unit.env.update(before)
    worked = unit.nodes.get(("operation", id(call)))
    for argument, (_, origin) in zip(args[1:], items, strict=True):
        if is_container(argument.flow.value) and origin is not None and worked is not None:
            unit.graph.unite(worked, origin)  # no transfer can be written for each item
    return Flow(Sequence(result.value, list=False), result.origin)


def tell_of_calls(unit: Unit, node: ast.Call, function: ast.expr) -> None:
    """Say of ``map(project_function, matrices)`` that a comprehension would be stacked."""
    if called_gains(unit, function):
        name = "a lambda" if isinstance(function, ast.Lambda) else f"`{ast.unparse(function)}`"
        unit.note(
            "GP301",
            f"one call for each matrix: unsupported syntax: `{ast.unparse(node.func)}` of {name}; "
            "a comprehension with that call can be stacked",
            node,
        )
