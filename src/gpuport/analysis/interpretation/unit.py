"""The analysis of one function (or of module-level code): its state while it is interpreted."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.learned import Later, Marked, ProgramCalls, Returned
from gpuport.analysis.interpretation.placing import Placing
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.contents import has_unknown, objects_in
from gpuport.analysis.values.lattice import (
    Number,
    Unknown,
    Value,
    is_container,
    join_paths,
    on_device_possible,
)
from gpuport.analysis.values.nesting import renewed
from gpuport.source.repeated import called_in_loops
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.explanation.trace import Trace
    from gpuport.analysis.objects.instances import Objects


@dataclass(slots=True, eq=False)
class Unit(Placing):
    """State and result of interpreting one function: what its names hold, and what that gave.

    ``trial`` is not None where the function is interpreted as if its parameters were what call
    sites pass: it holds what names are then, by the loop that reads them. Nothing else is kept.
    """

    env: dict[str, Flow] = field(default_factory=dict)
    containers: dict[int, Flow] = field(default_factory=dict)
    unfollowed: dict[int, tuple[ast.expr, Value]] = field(default_factory=dict)
    returned: Returned = field(default_factory=Returned)
    calls: ProgramCalls = field(default_factory=ProgramCalls)
    marked: Marked = field(default_factory=Marked)
    later: Later = field(default_factory=Later)
    refusal: Reason | None = None
    trial: dict[int, dict[str, Value]] | None = None
    trace: Trace | None = None
    objects: Objects | None = None
    return_node: Node = field(init=False)

    def __post_init__(self) -> None:
        self.knowledge = self.project.knowledge
        shared = self.objects is not None and not isinstance(self.node, ast.Module)
        if self.objects is not None and shared:
            self.return_node = self.objects.node(id(self.node), "", f"{self.name}()")
        else:
            self.return_node = self.graph.node("return")
        self.host = self.graph.node("host")
        self.graph.pin(self.host, Reason("GP407", "a value of the host", self.node))
        if self.decorated:
            self.return_node.device_only = True
        elif not shared:
            self.graph.pin(self.return_node, Reason("GP402", "callers expect NumPy", self.node))

    @property
    def is_followed(self) -> bool:
        """Whether the function is placed together with others: dicts are followed over them."""
        return self.objects is not None

    @property
    def called_in_loops(self) -> bool:
        """Whether a loop of the program calls the function, or a function that a loop calls."""
        trees = (project.module.tree for project in self.project.program.projects)
        return getattr(self.node, "name", None) in called_in_loops(trees)

    @property
    def returning_nodes(self) -> list[Node]:
        """Where what it gives back is, in each case."""
        if self.objects is None or isinstance(self.node, ast.Module):
            return [self.return_node]
        cases = (*self.returned.values, self.returned.case)
        return [self.objects.result_node(self.node, case) for case in cases]

    def follow(self, expression: ast.expr) -> None:
        """An instance of a class of the module goes on to where it is seen."""
        if self.unfollowed:
            self.unfollowed.pop(id(expression), None)

    def lost(self, node: ast.AST, after: Value, *before: Value) -> bool:
        """What a claim is joined with may hide an instance of a class of the module."""
        return self.objects is not None and self.objects.lost(node, after, *before)

    def load(self, name: str) -> Flow | None:
        """What a local name holds, containers with what has been put into them."""
        flow = self.env.get(name)
        if flow is None:
            return None
        return self.refresh(flow)

    def named_number(self, *expressions: ast.expr) -> Node | None:
        """The group of the number of the device that a name holds; None beside another of them."""
        held = [self.env.get(e.id) for e in expressions if isinstance(e, ast.Name)]
        known = [one for one in held if one is not None and one.origin is not None]
        numbers = [one for one in known if isinstance(one.value, Number) and not one.view]
        alone = len(known) == 1 and len(numbers) == 1 and not numbers[0].element
        return numbers[0].origin if alone else None

    def refresh(self, flow: Flow) -> Flow:
        """A container's claim renewed from what its group is known to hold."""
        if flow.origin is None or not is_container(flow.value):
            return flow
        value = renewed(self, flow.value, flow.origin)
        return flow if value is flow.value else replace(flow, value=value)

    def bind(self, name: str, target: ast.AST, expression: ast.expr, flow: Flow) -> None:
        """Bind a name: fresh results get a group of their own, others share their origin's."""
        if self.trace is not None:
            self.trace.bound(name, target, flow)
        sums = self.marked.sums
        number = bool(sums) and any(id(part) in sums for part in walk(expression))
        self.memory.made[name] = self.memory.made.get(name, True) and flow.fresh and not number
        if flow.origin is None or not flow.fresh:
            self.env[name] = replace(flow, fresh=False) if flow.fresh else flow
            self.stay(name)
            return
        group = self.node_for("name", target, name, told_apart=self.is_followed)
        group.root().textual |= flow.origin.root().textual
        if number or is_container(flow.value):  # a copy of Python's 0 would be an array
            self.graph.unite(group, flow.origin)
        else:
            self.use(expression, flow, group, stored=True)
        self.env[name] = Flow(
            flow.value, group, element=flow.element, ordered=flow.ordered,
            memory=None if is_container(flow.value) else frozenset((group,)),
        )  # fmt: skip
        self.stay(name)

    def let_owners_vary(self, names: Iterable[str]) -> None:
        """Names that a loop binds again may hold at its head what any of its trips gives them."""
        for name in names:
            if name in self.env and self.env[name].memory is not None:
                self.env[name] = replace(self.env[name], memory=None)

    def stay(self, name: str) -> None:
        """What code that runs later finds by a name stays on the host."""
        reason, flow = self.later.read.get(name), self.env[name]
        if reason is None:
            return
        if self.objects is not None:
            for owner in sorted(objects_in(flow.value)):
                self.objects.open(owner, self.statement or reason.node, reason.message)
        if flow.origin is not None and on_device_possible(flow.value):
            self.graph.pin(flow.origin, reason)

    def changes(self, name: str) -> bool:
        """Whether a name is bound anew in one of the loops here, of those that run often."""
        around = list(zip(self.loops, self.loop_nodes, self.few, strict=True))
        if any(few and name in names for names, _, few in around):
            return False
        return any(
            name in names or (isinstance(node, ast.stmt) and name in self.project.bound_in(node))
            for names, node, few in around if not few
        )  # fmt: skip

    def join_env(self, other: dict[str, Flow]) -> None:
        """Join another path's bindings into this one's."""
        for name, flow in other.items():
            mine = self.env.get(name)
            if mine is None:
                self.env[name] = flow
            elif mine is not flow:
                self.env[name] = self.join_flows(mine, flow, f"`{name}`")

    def join_flows(self, a: Flow, b: Flow, named: str = "it") -> Flow:
        """What is true of both; their groups become one."""
        if a == b:
            return a
        origin = a.origin or b.origin
        if a.origin is not None and b.origin is not None:
            origin = self.graph.unite(a.origin, b.origin)
        value = join_paths(a.value, b.value)
        self.lost(self.statement or self.node, value, a.value, b.value)
        held = on_device_possible(a.value) or on_device_possible(b.value)
        unknown = has_unknown(value) and not (has_unknown(a.value) and has_unknown(b.value))
        if unknown and origin is not None and held:
            self.graph.pin(origin, _staying(value, named, self.node))
        return Flow(
            value,
            origin,
            a.view or b.view,
            element=a.element or b.element,
            ordered=a.ordered and b.ordered,
            memory=None if a.memory is None or b.memory is None else a.memory | b.memory,
        )


def _staying(value: Value, named: str, node: ast.AST) -> Reason:
    """Why what two paths leave is on the host."""
    if isinstance(value, Unknown) and value.number is not None:
        return Reason("GP407", f"{named} is a number, or None", node)
    message = f"what {named} holds depends on the path taken"
    return Reason("GP901", message, node, "unknown-type")


__all__ = ["Unit"]
