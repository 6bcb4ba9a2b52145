"""A call of a function of the program: where it runs, what goes to it and what it gives back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.functions.summaries import Summary
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.otherkinds import doubt
from gpuport.analysis.placement.cut import TRANSFER
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.statements.inplace import check_in_place
from gpuport.analysis.values.contents import can_cross, has_unknown
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Number,
    Scalar,
    Tuple,
    Unknown,
    is_arraylike,
    is_container,
    on_device_possible,
)
from gpuport.analysis.values.nesting import fill, held_by


def called(unit: Unit, node: ast.Call, name: str, summary: Summary, args: list[Argument]) -> Flow:
    """What a call gives to which the function is what `summary` says."""
    operation = unit.node_for("operation", node, f"{name}()")
    _place(unit, node, name, operation, summary, args)
    gives = _gives_device_arrays(unit, node, operation, summary, args)
    call = _Call(unit, node, name, summary, args, operation, gives)
    shared = call.hand_over_all()
    call.pin_doubtful()
    element = call.works_on_elements()
    if summary.always_on_device and id(node.func) not in unit.calls.ported:
        return Flow(Unknown(f"the result of `{name}`"))
    if not on_device_possible(summary.result):
        return Flow(summary.result)
    return call.result(shared=shared, element=element)


def _place(
    unit: Unit, node: ast.Call, name: str, operation: Node, summary: Summary, args: list[Argument]
) -> None:
    """Where the call may run, and what it saves on the device."""
    either_side = summary.as_it_is and all(map(_certain, args))
    if not summary.ported and not either_side:
        unit.graph.pin(operation, Reason("GP407", f"`{name}` is not ported", node, None))
    elif id(node) not in unit.work.operations:
        saved = summary.work
        if summary.ported:
            saved = max(saved, TRANSFER * _moved_by(summary, args))
        operation.root().host_cost += saved * unit.weight


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function of the program, on the way into the data-flow graph.

    Attributes
    ----------
    unit : Unit
    node : ast.Call
    name : str
        The function as the call spells it.
    summary : Summary
    args : list of Argument
    operation : Node
        The call in the graph.
    gives : bool
        Whether it gives device arrays wherever it is made.
    """

    unit: Unit
    node: ast.Call
    name: str
    summary: Summary
    args: list[Argument]
    operation: Node
    gives: bool

    def _landed(self) -> Iterator[tuple[Argument, str | None]]:
        """The arguments with the parameters that they land on."""
        return zip(self.args, self.summary.names(self.args), strict=True)

    def hand_over_all(self) -> bool:
        """Bring the arguments where the function takes them.

        Returns
        -------
        bool
            Whether the result shares memory with one of them.
        """
        shared = [self._hand_over(argument, parameter) for argument, parameter in self._landed()]
        return any(shared)

    def _kept(self, argument: Argument) -> Flow:
        """An argument; an element of an array is one that has been taken of it."""
        return kept(self.unit, argument.expression, argument.flow)

    def _hand_over(self, argument: Argument, parameter: str | None) -> bool:
        """What becomes of an argument; whether it shares memory with the result."""
        unit, summary, expression = self.unit, self.summary, argument.expression
        flow = self._kept(argument)
        written = parameter in summary.mutated
        if parameter in summary.ordered and flow.origin is not None and not flow.ordered:
            unit.memory.ordered.append((flow.origin, self.node, self.name))
        if not on_device_possible(flow.value):
            if written or parameter is None or parameter in summary.escaped:
                node = unit.project.own_function(unit, self.name)
                inner = None if node is None else unit.project.scope_of(node)
                doubt(unit, expression, flow, inner if parameter else None, parameter or "")
            return False
        if written and not isinstance(flow.value, Number):
            unit.mutate(flow, self.node)  # wherever that is: a copy of before is one no more
        if parameter is None or parameter in summary.escaped:
            unit.escape(expression, flow, self._let_go(written=written))
        elif parameter in summary.lent and unit.objects is None and not is_container(flow.value):
            if written:
                unit.escape(expression, flow, self._written_on_host())
                return False
            message = f"`{self.name}` hands it to something that may read it later"
            reason = Reason("GP902", message, self.node, "unknown-call")
            unit.lend(expression, flow, unit.host, reason)
        elif summary.ported and parameter not in summary.arrays:
            # The body wants it on the host (or takes it for a Python value).
            if written:
                unit.escape(expression, flow, self._written_on_host())
            else:
                unit.to_host(expression, flow)
        elif written:
            self._write(expression, flow)
        else:
            self._read(expression, flow, returned=parameter in summary.returned)
        if parameter in summary.returned and flow.origin is not None:
            unit.graph.unite(self.operation, flow.origin)
            return True
        return False

    def _write(self, expression: ast.expr, flow: Flow) -> None:
        """An argument that the function changes: it is where the function runs."""
        unit = self.unit
        if isinstance(flow.value, Number):
            unit.to_host(expression, flow)  # NumPy's scalars are not changed in place
            return
        check_in_place(unit, expression, flow)
        if self.gives and self.summary.boundary == "device" and not is_container(flow.value):
            unit.use(expression, flow, self.operation, implicit=True)  # written back
        elif flow.origin is not None:
            unit.graph.unite(self.operation, flow.origin)

    def _read(self, expression: ast.expr, flow: Flow, *, returned: bool) -> None:
        """An argument that the function only reads: it can be moved for the call."""
        unit, summary = self.unit, self.summary
        if not summary.ported and is_container(flow.value):
            unit.escape(expression, flow, self._let_go(written=False))
        elif (
            can_cross(flow.value)
            and flow.origin is not None
            and not (returned or unit.frozen_text or unit.inseparable)
        ):
            unit.graph.use(
                expression, flow.origin, self.operation, flow.value, unit.weight, view=flow.view
            )
        else:
            moves = summary.ported and not (self.gives and summary.boundary == "none")
            unit.use(expression, flow, self.operation, implicit=moves)

    def _written_on_host(self) -> Reason:
        return Reason("GP407", f"`{self.name}` changes it on the host", self.node)

    def _let_go(self, *, written: bool) -> Reason:
        """Why a function that stays on the host keeps what it is given there."""
        does = "changes it" if written else "may change the array or keep it"
        message = f"`{self.name}`, which stays on the host, {does}"
        return Reason("GP902", message, self.node, "unknown-call")

    def pin_doubtful(self) -> None:
        """Keep on the host what may give NumPy's arrays once ported, or nobody knows what."""
        unit, summary = self.unit, self.summary
        if not summary.ported:
            return
        taken = [a for a, parameter in self._landed() if parameter in summary.arrays]
        certain = [one for one in taken if _lives_on_device(unit, one.flow)]
        if certain and not self.gives and all(isinstance(a.flow.value, Number) for a in certain):
            # numbers of the host go to the device as they are: one has to be where the call is
            flow = self._kept(certain[0])
            unit.use(certain[0].expression, flow, self.operation, implicit=True, stored=True)
        if not self.gives and not certain:
            # Without a device array among its arguments it gives NumPy results.
            message = f"`{self.name}` may be given no array"
            unit.graph.pin(self.operation, Reason("GP407", message, self.node))
            for argument in self.args:
                if is_arraylike(argument.flow.value):
                    unit.to_host(argument.expression, argument.flow)
        if has_unknown(summary.result):
            # Given device arrays it could hand some back that nobody knows of.
            message = f"unknown type: what `{self.name}` gives back is not known"
            unit.graph.pin(self.operation, Reason("GP901", message, self.node, "unknown-type"))

    def works_on_elements(self) -> bool:
        """Whether single elements are all that it works on, in a loop that stays on the host."""
        given = [a.flow for a in self.args if is_arraylike(a.flow.value)]
        touched = [flow for flow in given if flow.origin is not None]
        element = any(flow.element for flow in touched) and not any(
            isinstance(flow.value, Array) for flow in touched
        )
        if element:
            worked = () if self.gives else (self.operation,)
            self.unit.element_work(self.node, *worked, *(flow.origin for flow in touched))
        return element

    def result(self, *, shared: bool, element: bool) -> Flow:
        """What the call gives, which may be of the device."""
        unit, summary, value = self.unit, self.summary, self.summary.result
        unit.nodes["project", id(self.node)] = self.operation
        part = is_container(value) or any(
            parameter in summary.returned and (parameter in summary.parts or argument.flow.view)
            for argument, parameter in self._landed()
        )
        kept = summary.kept and not isinstance(value, Number)
        if kept:
            message = (
                f"what `{self.name}` gives back is kept elsewhere too, where others may change it"
            )
            unit.graph.pin(self.operation, Reason("GP902", message, self.node, "unknown-call"))
        fill(unit.graph, self.operation, held_by(value))
        fresh = not (shared or kept)
        return Flow(value, self.operation, view=shared and part, fresh=fresh, element=element)


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


__all__ = ["called"]
