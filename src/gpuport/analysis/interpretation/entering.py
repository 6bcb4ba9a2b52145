"""The parameters of a function as its body finds them."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.functions.evidence import (
    ASSUMED,
    parameter_values,
    perhaps_several,
    told_parameters,
)
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.facts import likely
from gpuport.analysis.objects.claims import default_of
from gpuport.analysis.objects.settings import annotated_setting
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Scalar,
    Unknown,
    Value,
    is_container,
    is_number,
    on_device_possible,
)
from gpuport.analysis.values.nesting import fill, held_by
from gpuport.source.annotations import annotation
from gpuport.source.parameters import defaults_of

if TYPE_CHECKING:
    from gpuport.analysis.functions.uses import Use
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.names import FunctionNode


def enter(unit: Unit, node: FunctionNode, *, numbers: bool = True) -> None:
    """Bind the parameters of a function to what is known of them.

    Parameters
    ----------
    unit : Unit
    node : FunctionDef or AsyncFunctionDef
    numbers : bool
        Whether parameters that are only ever operands are taken for numbers.
    """
    project = unit.project
    seen = project.calls.of(node)
    arrays = {name for name, value in seen.items() if on_device_possible(value)}
    if not unit.decorated:  # nothing checks what call sites leave open
        seen = project.calls.certain(node)
    uses = project.uses.of(unit.scope, node)
    args = node.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    annotations = {a.arg: annotation(a) for a in every if a.annotation is not None}
    defaults = defaults_of(node)
    told = told_parameters(node, project.calls.certain(node), uses)
    for name, value in parameter_values(unit.scope, node, seen, uses).items():
        if unit.decorated and name in uses.found and name not in annotations:
            value = perhaps_several(value, uses.found[name])  # its calls are not all seen
        if name in annotations and (name not in arrays or not on_device_possible(value)):
            value = _as_annotated(project, name, annotations[name], value, uses.found.get(name))
        if isinstance(value, Unknown) and name not in arrays:
            value = default_of(unit, defaults.get(name)) or value
        if value == ASSUMED and (not numbers or (not unit.decorated and name in arrays)):
            value = Unknown(f"`{name}`")
        elif value == ASSUMED:
            unit.parameters.assumed.add(name)
        elif not unit.decorated:
            value = _unchecked(value)
        elif is_number(value):
            unit.parameters.presumed.add(name)
            if name not in annotations and not getattr(uses.found.get(name), "number", False):
                unit.parameters.places.add(name)
        if isinstance(value, Unknown) and name in uses.found and uses.found[name].may_be_array:
            unit.parameters.on_host.add(name)
        group = bind(unit, name, value)
        if group is not None and name not in told:
            group.unsure = True
        if group is not None and not unit.decorated:
            unit.graph.pin(group, Reason("GP407", f"`{name}` comes from the host", node))


def _as_annotated(
    project: Project, name: str, written: ast.expr | None, value: Value, use: Use | None
) -> Value:
    """What an annotation says where it says nothing of arrays, and neither do calls nor uses."""
    said = annotated_setting(project, name, written)
    if on_device_possible(value):
        apart = use is not None and not (use.array or use.matrix)
        return said if apart and said is not None and is_container(said) else value
    return value if said is None or isinstance(said, Scalar) else said


def enter_as_called(unit: Unit) -> None:
    """Bind parameters to what the calls of the function are seen to pass: likely, not certain."""
    assert isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    seen = unit.project.calls.likely(unit.node)
    enter(unit, unit.node)
    for name, flow in unit.env.items():
        unit.env[name] = replace(flow, value=likely(flow.value, seen.get(name)))


def bind(unit: Unit, name: str, value: Value) -> Node | None:
    """Bind a parameter; gives the node of its arrays, or None where it can hold none."""
    if isinstance(value, Unknown):
        unit.parameters.unknown.add(name)
    if not on_device_possible(value):
        unit.env[name] = Flow(value)
        return None
    group = unit.graph.node(name)
    group.parameters.add(name)
    if is_container(value):
        fill(unit.graph, group, held_by(value))
    unit.parameters.nodes[name] = group
    unit.parameters.initial[name] = value
    memory = None if is_container(value) else frozenset((group,))
    unit.env[name] = Flow(value, group, memory=memory)
    return group


def _unchecked(value: Value) -> Value:
    """A claim without what a boundary would have to check."""
    if isinstance(value, Array) and value.matrices:
        return replace(value, matrices=frozenset())
    if isinstance(value, Either):
        return replace(value, sources=frozenset())
    return value


__all__ = ["bind", "enter", "enter_as_called"]
