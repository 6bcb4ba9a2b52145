"""Calls of functions of the program: which function it is, and what is known of it there."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument, arguments, is_spread
from gpuport.analysis.calls.handovers import called
from gpuport.analysis.calls.hostcalls import unknown_call
from gpuport.analysis.functions.contexts import as_called
from gpuport.analysis.functions.interest import is_cached
from gpuport.analysis.functions.summaries import Summary, for_call, landing
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.project.outside import Definition
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import (
    Array,
    Instance,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
    is_number,
)
from gpuport.source.names import FunctionNode
from gpuport.source.parameters import parameter_names, spread_over

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


def project_call(unit: Unit, node: ast.Call, name: str, definition: FunctionNode) -> Flow:
    """A call of a function of this module, as far as its own analysis went."""
    project = unit.project
    if project.by_context:
        return _in_context(unit, node, Definition(project, definition))
    return _call_of(unit, node, name, project, definition)


def _call_of(
    unit: Unit, node: ast.Call, name: str, project: Project, definition: FunctionNode
) -> Flow:
    """A call of a function of a module of the program."""
    project.summary(unit, definition)  # what it does is known before its arguments are looked at
    args = _one_by_one(unit, node, definition)
    project.calls.record(unit, definition, node, args)
    summary = project.summary(unit, definition)
    if any(map(_spreads, args)):
        return unknown_call(unit, node, args)
    if project.scope_of(definition).yields:
        summary = _of_generator(unit, node, Definition(project, definition), args)
    elif is_cached(project, definition):
        summary = _read_for(unit, Definition(project, definition), args)
    flow = called(unit, node, name, for_call(summary, definition, args), args)
    if flow.origin is not None:
        unit.calls.given_back.append((flow.origin, definition))
    return flow


def _one_by_one(unit: Unit, node: ast.Call, definition: FunctionNode) -> list[Argument]:
    """The arguments of a call, numbers that are spread, ``*values``, one by one."""
    found: list[Argument] = []
    for one in arguments(unit, node):
        place = len(found)
        items = (
            _numbers_spread(unit, one, spread_over(definition, node)) if is_spread(one) else None
        )
        if items is not None:
            found += [
                Argument(place + k, None, one.expression, Flow(item))
                for k, item in enumerate(items)
            ]
        else:
            found.append(one if one.position is None else replace(one, position=place))
    return found


def _numbers_spread(unit: Unit, one: Argument, left: int | None) -> list[Value] | None:
    """The items of what is spread where these are numbers of the host, ``left`` of them."""
    value, apart = one.flow.value, one.flow.origin is None
    if isinstance(value, Tuple) and apart and all(map(is_number, value.items)):
        return None if value.optional else list(value.items)
    if left is not None and isinstance(value, Sequence) and apart and is_number(value.of):
        return [value.of] * left
    if left is None or not isinstance(value, Array) or value.rank != 1:
        return None
    unit.to_host(one.expression, one.flow)
    return [Number(value.dtype)] * left


def _spreads(one: Argument) -> bool:
    return is_spread(one) or one.keyword == "**"


def outside_call(unit: Unit, node: ast.Call, path: str) -> Flow | None:
    """A call of what another module of the project defines; None where nothing is known of it."""
    outside, program = unit.project.outside, unit.project.program
    defined = program.imported(unit.project, path) if program.is_joint else None
    if defined is not None and isinstance(defined.node, FunctionNode):
        name = unit.module.segment(node.func)
        return _call_of(unit, node, name, defined.project, defined.node)
    if outside is None or unit.knowledge.rules.host(path) is not None:
        return None
    definition = outside.function(path)
    if definition is not None:
        return _in_context(unit, node, definition)
    if outside.fields(path) or outside.overloads(path):
        unknown_call(unit, node, arguments(unit, node))
        return Flow(Instance(path))
    return None


def _in_context(unit: Unit, node: ast.Call, definition: Definition) -> Flow:
    """A call of a function that is read for what this very call passes."""
    args = _one_by_one(unit, node, definition.node)
    names = landing(parameter_names(definition.node), args)
    followed = any(objects_in(a.flow.value) for a in args)
    if followed or None in names:
        return unknown_call(unit, node, args)
    if definition.project.scope_of(definition.node).yields:
        summary = _of_generator(unit, node, definition, args)
    else:
        summary = _read_for(unit, definition, args)
    if definition.arrays is not None:
        summary = replace(summary, ported=True, arrays=definition.arrays)
    summary = for_call(summary, definition.node, args)
    return called(unit, node, unit.module.segment(node.func), summary, args)


def _read_for(unit: Unit, definition: Definition, args: list[Argument]) -> Summary:
    """What a function is to a call with these arguments."""
    names = landing(parameter_names(definition.node), args)
    given = {
        name: Scalar() if argument.flow.element else argument.flow.value
        for name, argument in zip(names, args, strict=True) if name is not None
    }  # fmt: skip
    depth = unit.project.contexts.depth + 1
    return as_called(definition.project, definition.node, given, depth)


def _of_generator(
    unit: Unit, node: ast.Call, definition: Definition, args: list[Argument]
) -> Summary:
    """What a generator is to code that goes over it where it is called: what it hands out.

    It works on the host, on arrays of the host, as long as anybody goes over it. What it hands
    out may be a part of these, or may be written later on: others hold such arrays too.
    """
    names = parameter_names(definition.node)
    told = not any(name is None for name in landing(names, args))
    followed = any(objects_in(argument.flow.value) for argument in args)
    opaque = Summary.opaque(names)
    if id(node) not in unit.marked.consumed or followed or not told:
        return opaque
    found = _read_for(unit, definition, args)
    return replace(opaque, result=found.result, kept=found.kept or bool(found.returned))
