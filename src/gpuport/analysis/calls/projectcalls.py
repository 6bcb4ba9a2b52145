"""Calls of functions of the program: which function it is, and what is known of it there."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.handovers import called
from gpuport.analysis.calls.hostcalls import unknown_call
from gpuport.analysis.functions.contexts import as_called
from gpuport.analysis.functions.interest import is_cached
from gpuport.analysis.functions.summaries import Summary, for_call, landing, parameter_names
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.project.outside import Definition
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import Instance, Scalar
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import has_star

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
    args = arguments(unit, node)
    project.calls.record(unit, definition, node, args)
    summary = project.summary(unit, definition)
    if has_star(node):
        return unknown_call(unit, node, args)
    if project.scope_of(definition).yields:
        summary = _of_generator(unit, node, Definition(project, definition), args)
    elif is_cached(project, definition):
        summary = _read_for(unit, Definition(project, definition), args)
    flow = called(unit, node, name, for_call(summary, definition, args), args)
    if flow.origin is not None:
        unit.calls.given_back.append((flow.origin, definition))
    return flow


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
    args = arguments(unit, node)
    names = landing(parameter_names(definition.node), args)
    followed = any(objects_in(a.flow.value) for a in args)
    if has_star(node) or followed or None in names:
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
