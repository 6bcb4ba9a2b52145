"""Calls of members: what their parameters are given, and what they give."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from gpuport.analysis.calls.matching import Given, Matched, Parameters, matched
from gpuport.analysis.expressions import evaluation
from gpuport.analysis.functions.returncases import Case, cases_in, reached, with_defaults
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import hides, pin_undecided
from gpuport.analysis.objects.formulacalls import as_number, of_numbers_alone
from gpuport.analysis.objects.rounds import interpret, open_all
from gpuport.analysis.objects.settings import given_as_annotated
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Tuple,
    Value,
    is_container,
    join_all,
    on_device_possible,
)
from gpuport.analysis.values.nesting import put
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.parameters import defaults_of, every_name, names_of

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.objects.instances import Objects


@dataclass(frozen=True, slots=True, eq=False)
class Callee:
    """A function that is called.

    Attributes
    ----------
    function : ast.FunctionDef or ast.AsyncFunctionDef
    given : int
        How many of its first parameters are given already.
    named : bool
        Whether others may be given already by their names.
    """

    function: FunctionNode
    given: int = 0
    named: bool = False


def methods_of(functions: Iterable[FunctionNode]) -> list[Callee]:
    """Definitions of a method, which a call gives the instance."""
    return [Callee(one, 1) for one in functions]


_DEEPEST = 4
"""Loops around a call beyond which one more makes no difference."""


def call_member(
    objects: Objects, unit: Unit, node: ast.expr, callee: Callee, args: list[Argument],
    *, kept: bool = False,
) -> Flow:  # fmt: skip
    """A call of a member: its parameters and its result are nodes of the common graph.

    ``kept``: what calls it goes on with what it gives, or writes the call nowhere.
    """
    function = callee.function
    unit.calls.any = True
    objects.seen.add(id(node))
    unit.calls.followed[id(node), id(function)] = node, function
    scope = objects.program.scope_of(function)
    within = objects.program.recursion(scope)
    enters = bool(within) and id(unit.node) not in within  # to call itself often, as a loop would
    depth = min(unit.depth + len(unit.loops) + enters, _DEEPEST)
    objects.now.depths[id(function)] = max(depth, objects.now.depths.get(id(function), 0))
    if scope.yields and id(node) not in unit.marked.consumed:
        open_all(objects, scope, _waiting(objects, unit, node, scope))
    given = [v for (one, _), v in objects.before.parameters.items() if one == id(function)]
    constant = objects.program.home(scope).constant
    if of_numbers_alone(scope, constant, [a.flow.value for a in args], given):
        interpret(objects, scope)
        flow = _result(objects, node, callee, None)
        work = objects.units[id(function)].work.operations.values()
        for one in work:  # a number crosses nowhere inside
            objects.common.unite(flow.origin or one.graph_node, one.graph_node)
        return replace(flow, value=as_number(flow.value))
    found = give_arguments(objects, unit, node, callee, args, kept=kept or scope.yields)
    interpret(objects, scope)
    result = _result(objects, node, callee, found)
    if result.origin is not None:
        unit.calls.given_back.append((result.origin, function))
    return result


def _waiting(objects: Objects, unit: Unit, node: ast.expr, scope: Scope) -> Reason:
    text = unit.module.segment(node)[:60]
    where = objects.program.where(objects.program.home(scope), node)
    message = f"generator: `{text}` on {where} is not gone through where it stands"
    return Reason("GP904", message, node, "generator")


def call_any(
    objects: Objects, unit: Unit, node: ast.expr, callees: list[Callee], args: list[Argument],
    *, kept: bool = False,
) -> Flow:  # fmt: skip
    """A call of what may be any of several functions."""
    flows = [call_member(objects, unit, node, one, args, kept=kept) for one in callees]
    if len(callees) > 1:
        _unite_parameters(objects, callees)
    return reduce(unit.join_flows, flows)


def _unite_parameters(objects: Objects, callees: list[Callee]) -> None:
    """One argument, one place: it is moved before it is known which definition runs."""
    together: dict[int | str, list[Node]] = defaultdict(list)
    for one in callees:
        for place, name in enumerate(names_of(one.function)[one.given :]):
            node = objects.nodes.get((id(one.function), name))
            if node is not None:  # arguments are given by position or by name
                together[place].append(node)
                together[name].append(node)
    for first, *others in together.values():
        for node in others:
            objects.common.unite(first, node)


def unite_with_call(
    objects: Objects, unit: Unit, node: ast.Call, functions: list[FunctionNode]
) -> None:
    """One argument, one place, also where the call may be of a function of a library."""
    operation = unit.nodes.get(("operation", id(node)))
    for one in functions if operation is not None else ():
        for name in names_of(one):
            parameter = objects.nodes.get((id(one), name))
            if parameter is not None and operation is not None:
                objects.common.unite(parameter, operation)


def give_arguments(
    objects: Objects, unit: Unit, node: ast.expr, callee: Callee, args: list[Argument],
    *, kept: bool,
) -> Matched | None:  # fmt: skip
    """What the parameters are given; ``kept``: beside code that goes on with the same arrays.

    Returns
    -------
    Matched or None
        Which argument each parameter is given; None where that cannot be told.
    """
    parameters = Parameters.of(callee.function, given=callee.given)
    found = matched(unit, parameters, args)
    if found is None:
        _give_anything(objects, unit, node, callee.function, args)
    else:
        _give_all(objects, unit, node, callee.function, parameters, found, kept=kept)
    return found


def _give_all(
    objects: Objects, unit: Unit, node: ast.expr, function: FunctionNode, parameters: Parameters,
    found: Matched, *, kept: bool,
) -> None:  # fmt: skip
    """What each parameter is given, those that gather the rest among them."""
    every = (*(one for _, one in found.single), *found.rest, *found.options)
    given = Counter(
        id(place) for held in {id(e.expression): e.flow.origin for e in every}.values()
        if held is not None for place in held.places()
    )  # fmt: skip
    for name, one in found.single:
        flow = one.flow if one.whole else evaluation.kept(unit, one.expression, one.flow)
        reached = flow.origin is not None and given[id(flow.origin.root())] > 1
        reached = reached or one.whole or kept
        _give(objects, unit, one.expression, function, name, flow, reached=reached)
    if parameters.rest is not None:
        rest = _gathered(unit, node, found.gathered(), found.rest)
        _give(objects, unit, node, function, parameters.rest, rest, reached=False)
    if parameters.options is not None:
        options = _gathered(unit, node, found.gathered_by_name(), found.options)
        _give(objects, unit, node, function, parameters.options, options, reached=False)


def _gathered(unit: Unit, node: ast.expr, value: Value, found: list[Given]) -> Flow:
    """What ``*rest`` or ``**options`` hold of a call: a new container."""
    unit.lost(node, value, *(one.flow.value for one in found))
    for one in found:
        unit.follow(one.expression)
    if not any(one.flow.origin is not None for one in found):
        return Flow(value)
    container = unit.node_for("gathered", node, type(value).__name__)
    told = isinstance(value, Tuple)
    for place, one in enumerate(found):
        flow, key = replace(one.flow, fresh=not one.whole), str(place) if told else one.key
        if flow.origin is not None:
            put(unit, container, one.expression, flow, stored=False, told=told, key=key)
    return Flow(value, container, fresh=True)


def _give(
    objects: Objects, unit: Unit, expression: ast.expr, function: FunctionNode, name: str,
    flow: Flow, *, reached: bool,
) -> None:  # fmt: skip
    """An argument; ``reached``: the function may get at its array in another way too."""
    key, flow = (id(function), name), given_as_annotated(unit, expression, function, name, flow)
    objects.learn(expression, objects.now.parameters, key, lasting(flow.value))
    unit.follow(expression)
    if flow.origin is None or not on_device_possible(flow.value):
        return
    objects.now.placed.add(key)
    parameter = objects.node(id(function), name, name)
    # The function may have been looked at before any call gave it a value with a place.
    pin_undecided(objects.common, parameter, objects.now.parameters[key], name, function)
    if key in objects.before.shared:
        unit.calls.given.append((flow.origin, unit.line))
    reached = reached or _is_written_attribute(objects, flow.origin)
    if key not in objects.before.shared and not reached and not is_container(flow.value):
        unit.use(expression, flow, parameter)
    else:
        objects.hand_over(unit, expression, flow, parameter)


def give_name(objects: Objects, function: FunctionNode, name: str, flow: Flow) -> None:
    """What an inner function is given where it is defined: a name around it, a default."""
    key = id(function), name
    objects.learn(function, objects.now.parameters, key, lasting(flow.value))
    if flow.origin is None or not on_device_possible(flow.value):
        return
    objects.now.placed.add(key)
    parameter = objects.node(id(function), name, name)
    pin_undecided(objects.common, parameter, objects.now.parameters[key], name, function)
    objects.share(parameter, flow)


def _is_written_attribute(objects: Objects, origin: Node) -> bool:
    """Whether an array is that of an attribute which something writes: a copy would age."""
    return any(
        origin.root() in node.places() and (owner, name) in objects.before.written
        for (owner, name), node in objects.nodes.items() if isinstance(owner, str)
    )  # fmt: skip


def _give_anything(
    objects: Objects, unit: Unit, node: ast.expr, function: FunctionNode, args: list[Argument]
) -> None:
    """A call whose arguments cannot be matched with the parameters."""
    reason = Reason(
        "GP902", "the arguments of this call cannot be told one by one", node, "unknown-call"
    )
    for argument in args:
        unit.escape(argument.expression, argument.flow, reason)
    for name in every_name(function):
        key = id(function), name
        objects.lost(node, UNKNOWN, objects.now.parameters.get(key, UNKNOWN))
        objects.now.parameters[key] = UNKNOWN


def _result(objects: Objects, node: ast.AST, callee: Callee, found: Matched | None) -> Flow:
    """What a call gives: in the cases that its arguments leave."""
    function = callee.function
    known = _known_results(objects, function)
    given = _given(callee, found)
    cases = [case for case in known if reached(case, given)] or list(known)
    value = join_all([known[case] for case in cases]) if cases else UNKNOWN
    objects.lost(node, value, *(known[case] for case in cases))
    nodes = [objects.result_node(function, case) for case in cases]
    for case, one in zip(cases, nodes, strict=True):
        if hides(value, known[case]):
            message = f"unknown type: what `{function.name}` gives back may be one thing or another"
            objects.common.pin(one, Reason("GP901", message, node, "unknown-type"))
    if not on_device_possible(value):
        return Flow(value)
    for one in nodes[1:]:
        (objects.common.unite if is_container(value) else objects.common.gather)(nodes[0], one)
    kept = id(function) in objects.before.kept or id(function) in objects.now.kept
    return Flow(value, nodes[0], view=kept, fresh=not kept)


def _known_results(objects: Objects, function: FunctionNode) -> dict[Case, Value]:
    """What a function is known to give back, by case."""
    cases = cases_in(objects.program.home(objects.program.scope_of(function)), function)
    keys = {case: (id(function), case) for case in cases.every}
    before, now = objects.before.results, objects.now.results
    if id(function) in objects.done:  # in this round
        before, now = now, before
    found = {case: before.get(key, now.get(key)) for case, key in keys.items()}
    return {case: value for case, value in found.items() if value is not None}


def _given(callee: Callee, found: Matched | None) -> dict[str, Value | None]:
    """What is known of the parameters in a call, those that are left out among them."""
    if found is None or not found.certain or callee.named:
        return {}
    given: dict[str, Value | None] = {}
    for name, one in found.single:
        told = name not in given and not one.whole  # what a container may hold may be missing
        given[name] = one.flow.value if told else None
    left = names_of(callee.function)[callee.given :]
    return with_defaults(given, left, defaults_of(callee.function))


__all__ = [
    "Callee",
    "call_any",
    "call_member",
    "give_arguments",
    "give_name",
    "methods_of",
    "unite_with_call",
]
