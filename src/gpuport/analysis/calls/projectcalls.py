"""Calls of functions of the module: what goes to them, where they run, what they give back."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.hostcalls import unknown_call
from gpuport.analysis.functions.contexts import as_called
from gpuport.analysis.functions.summaries import Summary, for_call, landing, parameter_names
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.otherkinds import doubt
from gpuport.analysis.placement.cut import TRANSFER
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.project.outside import Definition
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Instance,
    Number,
    Scalar,
    Tuple,
    Unknown,
    can_cross,
    has_unknown,
    is_arraylike,
    is_container,
    objects_in,
    on_device_possible,
)
from gpuport.analysis.values.nesting import fill, held_by
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function of the module, on the way into the data-flow graph."""

    unit: Unit
    node: ast.Call
    name: str
    summary: Summary
    operation: Node
    gives: bool

    def hand_over(self, argument: Argument, parameter: str | None) -> Node | None:
        """What becomes of an argument; the node that it shares with the result, if it does."""
        from gpuport.analysis.expressions.subscripts import keep_element
        from gpuport.analysis.statements.inplace import check_in_place

        unit, node, name, summary = self.unit, self.node, self.name, self.summary
        operation, gives = self.operation, self.gives
        flow = keep_element(unit, argument.expression, argument.flow)
        if parameter in summary.ordered and flow.origin is not None and not flow.ordered:
            unit.memory.ordered.append((flow.origin, node, name))
        if not on_device_possible(flow.value):
            if parameter is None or parameter in summary.escaped | summary.mutated:
                doubt(unit, argument.expression, flow)
            return None
        if parameter in summary.mutated and not isinstance(flow.value, Number):
            unit.mutate(flow, node)  # wherever that is: a copy of before is one no more
        if parameter is None or parameter in summary.escaped:
            unit.escape(argument.expression, flow, _let_go(unit, node, name, parameter, summary))
        elif parameter in summary.lent and unit.objects is None and not is_container(flow.value):
            if parameter in summary.mutated:
                unit.escape(argument.expression, flow, _written_on_host(name, node))
                return None
            message = f"`{name}` hands it to something that may read it later"
            reason = Reason("GP902", message, node, "unknown-call")
            unit.lend(argument.expression, flow, unit.host, reason)
        elif summary.ported and parameter not in summary.arrays:
            # The body wants it on the host (or takes it for a Python value).
            if parameter in summary.mutated:
                unit.escape(argument.expression, flow, _written_on_host(name, node))
            else:
                unit.to_host(argument.expression, flow)
        elif parameter in summary.mutated and isinstance(flow.value, Number):
            unit.to_host(argument.expression, flow)  # NumPy's scalars are not changed in place
        elif parameter in summary.mutated:
            check_in_place(unit, argument.expression, flow)
            if gives and summary.boundary == "device" and not is_container(flow.value):
                unit.use(argument.expression, flow, operation, implicit=True)  # written back
            elif flow.origin is not None:
                unit.graph.unite(operation, flow.origin)
        elif not summary.ported and is_container(flow.value):
            unit.escape(argument.expression, flow, _let_go(unit, node, name, parameter, summary))
        elif (
            can_cross(flow.value)
            and flow.origin is not None
            and not (parameter in summary.returned or unit.frozen_text or unit.inseparable)
        ):
            unit.graph.use(
                argument.expression, flow.origin, operation, flow.value, unit.weight, view=flow.view
            )
        else:
            moves = summary.ported and not (gives and summary.boundary == "none")
            unit.use(argument.expression, flow, operation, implicit=moves)
        if parameter in summary.returned and flow.origin is not None:
            return unit.graph.unite(operation, flow.origin)
        return None


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
    flow = _called(unit, node, name, for_call(summary, definition, args), args)
    if flow.origin is not None:
        unit.calls.given_back.append((flow.origin, definition))
    return flow


def outside_call(unit: Unit, node: ast.Call, path: str) -> Flow | None:
    """A call of what another module of the project defines; None where nothing is known of it."""
    outside, program = unit.project.outside, unit.project.program
    defined = program.imported(unit.project, path) if program.is_joint else None
    if defined is not None and isinstance(defined.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        name = unit.module.segment(node.func)
        return _call_of(unit, node, name, defined.project, defined.node)
    if outside is None or unit.knowledge.rules.host(path) is not None:
        return None
    definition = outside.function(path)
    if definition is not None:
        return _in_context(unit, node, definition)
    if outside.fields(path):
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
    return _called(unit, node, unit.module.segment(node.func), summary, args)


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
    opaque = Summary(False, 0.0, names, escaped=frozenset(names))
    if id(node) not in unit.marked.consumed or followed or not told:
        return opaque
    found = _read_for(unit, definition, args)
    return replace(opaque, result=found.result, kept=found.kept or bool(found.returned))


def _called(unit: Unit, node: ast.Call, name: str, summary: Summary, args: list[Argument]) -> Flow:
    """What a call does, and gives, to which the function is this."""
    operation = unit.node_for("operation", node, f"{name}()")
    either_side = summary.as_it_is and all(map(_certain, args))
    if not summary.ported and not either_side:
        unit.graph.pin(operation, Reason("GP407", f"`{name}` is not ported", node, None))
    elif summary.ported and id(node) not in unit.work.operations:
        spared = max(summary.work, TRANSFER * _moved_by(summary, args))
        operation.root().host_cost += spared * unit.weight
    elif either_side and id(node) not in unit.work.operations:
        operation.root().host_cost += summary.work * unit.weight
    gives = _gives_device_arrays(unit, node, operation, summary, args)
    names = summary.names(args)
    call = _Call(unit, node, name, summary, operation, gives)
    origin = None
    for argument, parameter in zip(args, names, strict=True):
        handed = call.hand_over(argument, parameter)
        origin = handed or origin
    taken = [a for a, name in zip(args, names, strict=True) if name in summary.arrays]
    if summary.ported and not gives and not any(_lives_on_device(unit, a.flow) for a in taken):
        # Without a device array among its arguments it gives NumPy results.
        unit.graph.pin(operation, Reason("GP407", f"`{name}` may be given no array", node))
        for argument in args:
            if is_arraylike(argument.flow.value):
                unit.to_host(argument.expression, argument.flow)
    value = summary.result
    if summary.ported and has_unknown(value):
        # Given device arrays it could hand some back that nobody knows of.
        unit.graph.pin(
            operation,
            Reason(
                "GP901",
                f"unknown type: what `{name}` gives back is not known",
                node,
                "unknown-type",
            ),
        )
    touched = [a.flow for a in args if is_arraylike(a.flow.value) and a.flow.origin is not None]
    element = any(flow.element for flow in touched) and not any(
        isinstance(flow.value, Array) for flow in touched
    )
    if element:
        worked = () if gives else (operation,)
        unit.element_work(node, *worked, *(flow.origin for flow in touched))
    if summary.always_on_device and id(node.func) not in unit.calls.ported:
        return Flow(Unknown(f"the result of `{name}`"))
    if not on_device_possible(value):
        return Flow(value)
    unit.nodes["project", id(node)] = operation
    aliased = origin is not None
    part = is_container(value) or any(
        name in summary.returned and (name in summary.parts or argument.flow.view)
        for argument, name in zip(args, names, strict=True)
    )
    kept = summary.kept and not isinstance(value, Number)
    if kept:
        message = f"what `{name}` gives back is kept elsewhere too, where others may change it"
        unit.graph.pin(operation, Reason("GP902", message, node, "unknown-call"))
    fill(unit.graph, operation, held_by(value))
    fresh = not (aliased or kept)
    return Flow(value, operation, view=aliased and part, fresh=fresh, element=element)


def _written_on_host(name: str, node: ast.Call) -> Reason:
    return Reason("GP407", f"`{name}` changes it on the host", node)


def _let_go(
    unit: Unit, node: ast.Call, name: str, parameter: str | None, summary: Summary
) -> Reason:
    """Why a function of the module that stays on the host keeps what it is given there."""
    does = "changes it" if parameter in summary.mutated else "may change the array or keep it"
    message = f"`{name}`, which stays on the host, {does}"
    return Reason("GP902", message, node, "unknown-call")


def _lives_on_device(unit: Unit, flow: Flow) -> bool:
    """Whether a value that is placed on the device is a device array for certain.

    What may be a number is one no more once a function of CuPy made something of it.
    """
    origin = flow.origin
    if origin is None:
        return False
    if not isinstance(flow.value, Either) or not (flow.value.sources or flow.value.python):
        return is_arraylike(flow.value) or is_container(flow.value)
    alone = len(unit.parameters.initial) == 1 and unit.decorated
    given = alone and bool(flow.value.sources)
    if given and not any(o.creates for o in unit.work.operations.values()):
        return True  # the boundary sees to it that one argument is an array
    return any(
        o.path is not None and o.graph_node.root() is origin.root()
        for o in unit.work.operations.values()
    )


def _certain(argument: Argument) -> bool:
    """Whether an argument is an array, or nothing that the device has a part in."""
    value = argument.flow.value
    if isinstance(value, Array):
        return not value.optional
    return not on_device_possible(value) and not isinstance(value, Unknown)


def _moved_by(summary: Summary, args: list[Argument]) -> int:
    """Arrays that a ported function moves itself where it is called from the host."""
    names = summary.names(args)
    given = sum(
        name in summary.arrays and isinstance(argument.flow.value, Array)
        for argument, name in zip(args, names, strict=True)
    )
    result = summary.result
    leaves = result.items if isinstance(result, Tuple) else (result,)
    return given + sum(isinstance(leaf, (Array, Either)) for leaf in leaves)


def _hands_over_unknown(summary: Summary, args: list[Argument]) -> bool:
    """Whether what is not known to be an array goes where the function expects one."""
    return any(
        name in summary.arrays and isinstance(argument.flow.value, Unknown)
        for argument, name in zip(args, summary.names(args), strict=True)
    )


def _gives_device_arrays(
    unit: Unit, node: ast.Call, operation: Node, summary: Summary, args: list[Argument]
) -> bool:
    """Whether a call gives device arrays wherever it is made, and its result is followed."""
    if not summary.always_on_device:
        return False
    result, takes = summary.result, summary.boundary == "none"
    plain = not any(on_device_possible(a.flow.value) or has_unknown(a.flow.value) for a in args)
    held = result.items if isinstance(result, Tuple) else (result,)
    if not (takes or has_unknown(result)) and (
        not on_device_possible(result)
        or (plain and all(isinstance(v, (Scalar, Number, Either)) for v in held))
    ):
        unit.calls.ported.add(id(node.func))  # no arrays in, none out
        return False
    fixed = unit.frozen_text or unit.project.suppressed(node.lineno)
    if fixed or has_unknown(result) or not unit.project.follows(unit):
        return False
    if takes and _hands_over_unknown(summary, args):
        return False
    unit.calls.ported.add(id(node.func))
    root = operation.root()
    root.device_only = root.device_call = operation.device_call = True
    return True
