"""Functions as one call finds them: what they do with, and make of, just these arguments.

Within a module a function is analysed once, for all its calls; its boundary checks what they leave
open. The calls of a function from other modules are not seen from its own, so it is read for each
kind of call: nothing is assumed of a parameter but what the argument is known to be.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from gpuport.analysis.functions.interest import is_cached, why_not
from gpuport.analysis.functions.summaries import Summary, cases_of_result, works_as_it_is
from gpuport.analysis.interpretation.entering import bind
from gpuport.analysis.interpretation.flows import Flow, Refused
from gpuport.analysis.interpretation.settling import finish
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import keeps
from gpuport.analysis.statements import statements
from gpuport.analysis.values.lattice import (
    NONE,
    UNKNOWN,
    Scalar,
    Sequence,
    Value,
    is_number,
    join,
)
from gpuport.source.names import FunctionNode
from gpuport.source.parameters import default_values, parameter_names

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project

Kinds = tuple[tuple[str, Value], ...]
"""What is known of the arguments of a call, by parameter."""

_DEEPEST = 3
"""Calls within calls that are followed."""


@dataclass(slots=True, eq=False)
class Contexts:
    """The functions of a module, by the kinds of calls for which they were read.

    Attributes
    ----------
    known : dict
        By the id of a function, the kinds of its arguments and how deep the call is: what it is
        to such a call. What was known of deeper calls depends on nothing else, so that the order
        in which callers ask does not matter.
    depth : int
        How deep the call is for which a function of the module is being read.
    """

    known: dict[tuple[int, Kinds, int], Summary] = field(default_factory=dict)
    depth: int = 0


def as_called(
    project: Project, node: FunctionNode, given: Mapping[str, Value], depth: int
) -> Summary:
    """What a function is to a call with these arguments.

    Parameters
    ----------
    project : Project
        The module that defines it.
    node : FunctionDef or AsyncFunctionDef
    given : mapping
        What is known of the arguments, by parameter. Claims that rest on parameters of the caller
        (`Array.sources`) come back in the result.
    depth : int
        1 for a call by the code that is ported, 2 for a call by what it calls, ...

    Returns
    -------
    Summary
        Everything escapes where the function cannot be read, or the call is too deep.
    """
    if depth > _DEEPEST:
        return Summary.opaque(parameter_names(node))
    given = {name: _distinguished(value) for name, value in given.items()}
    contexts = project.contexts
    key = id(node), tuple(sorted(given.items(), key=itemgetter(0))), depth
    found = contexts.known.get(key)
    if found is None:
        before, contexts.depth = contexts.depth, depth
        try:
            found = contexts.known[key] = _read(project, node, given)
        finally:
            contexts.depth = before
    return found


def _distinguished(value: Value) -> Value:
    """A kind of argument: one number with a fraction is as good as another."""
    if isinstance(value, Scalar) and isinstance(value.constant, (float, complex)):
        return Scalar(value.type)
    return value


def _read(project: Project, node: FunctionNode, given: Mapping[str, Value]) -> Summary:
    scope, opaque = project.scope_of(node), Summary.opaque(parameter_names(node))
    cached = is_cached(project, node)
    reason = why_not(project, scope, generators=True)
    if reason is not None and not (cached and reason.code == "GP908"):
        return opaque
    if cached:
        given = {name: _of_any_type(value) for name, value in given.items()}
    unit = project.unit(scope)
    unit.returned.generates = scope.yields
    unit.trace = None
    unit.trial = {}  # what loops might become does not matter to a caller
    _enter(unit, node, given)
    try:
        statements.run(unit, node.body)
        finish(unit)
    except Refused:
        return opaque
    summary = _summary(unit, node)
    if cached:  # all who ask are given the same, which stays on the host
        return replace(opaque, result=summary.result, kept=True)
    return summary


def _of_any_type(value: Value) -> Value:
    """A number that is a key of a cache: of 8, 8.0 and True the cache gives what came first."""
    return Scalar() if is_number(value) else value


def _enter(unit: Unit, node: FunctionNode, given: Mapping[str, Value]) -> None:
    defaults = default_values(node.args)
    for name in parameter_names(node):
        bind(unit, name, given[name] if name in given else _default(defaults.get(name)))
    for extra in (node.args.vararg, node.args.kwarg):
        if extra is not None:
            unit.env[extra.arg] = Flow(UNKNOWN)


def _default(default: ast.expr | None) -> Value:
    if isinstance(default, ast.UnaryOp):
        default = default.operand
    if not isinstance(default, ast.Constant):
        return UNKNOWN
    return NONE if default.value is None else Scalar(type(default.value).__name__)


def _summary(unit: Unit, node: FunctionNode) -> Summary:
    groups = {name: group.root() for name, group in unit.parameters.nodes.items()}
    kept = {n for n, g in groups.items() if g.pinned is not None and keeps(g.pinned)}
    mutated = {name for name, group in unit.parameters.nodes.items() if group.is_written}
    as_it_is, generates = works_as_it_is(unit, node), unit.returned.generates
    work = sum(n.host_cost for n in unit.graph.nodes if n.parent is None) if as_it_is else 0.0
    return Summary(
        ported=False,
        work=work,
        parameters=parameter_names(node),
        mutated=frozenset(mutated),
        escaped=frozenset(unit.parameters.escaped | kept | unit.parameters.unknown),
        returned=frozenset(unit.returned.parameters),
        result=_handed_out(unit) if generates else _result(unit.returned.value, node),
        as_it_is=as_it_is,
        lent=frozenset(unit.parameters.lent - unit.parameters.escaped),
        parts=frozenset(unit.returned.parts),
        cases=cases_of_result(unit),
        kept=unit.returned.kept(unit.host) or (generates and _writes(unit)),
    )


def _writes(unit: Unit) -> bool:
    """Whether any array is written: a generator may do so after it handed the array out."""
    return any(node.root().mutated for node in unit.graph.nodes)


def _result(returned: Value | None, node: FunctionNode) -> Value:
    """What a call gives: None too where the end of the function can be reached."""
    if returned is None:
        return NONE
    return join(returned, NONE) if _falls_off(node.body) else returned


def _handed_out(unit: Unit) -> Value:
    """What a generator gives to whoever goes over it, once."""
    return UNKNOWN if unit.returned.value is None else Sequence(unit.returned.value, list=False)


def _falls_off(body: list[ast.stmt]) -> bool:
    """Whether the end of a block may be reached; in doubt it may."""
    last = body[-1]
    if isinstance(last, ast.If):
        return not last.orelse or _falls_off(last.body) or _falls_off(last.orelse)
    if isinstance(last, ast.With):
        return _falls_off(last.body)
    if isinstance(last, ast.Try) and not last.orelse and not last.finalbody:
        return any(map(_falls_off, (last.body, *(h.body for h in last.handlers))))
    return not isinstance(last, (ast.Return, ast.Raise))


__all__ = ["Contexts", "as_called"]
