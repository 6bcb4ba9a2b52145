"""What array work tells the graph: where it may run, and what flows there."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow, Operation
from gpuport.analysis.interpretation.learned import (
    LoopForms,
    Memory,
    Parameters,
    Work,
)
from gpuport.analysis.interpretation.whereabouts import Whereabouts
from gpuport.analysis.knowledge.tables import Knowledge
from gpuport.analysis.placement.cut import LAUNCH, SYNCHRONISATION, TRANSFER
from gpuport.analysis.placement.graph import Graph, Node, Reason
from gpuport.analysis.values.contents import has_movable_leaves, item_names
from gpuport.analysis.values.lattice import Sequence, Value, is_container, on_device_possible
from gpuport.cost.callwork import is_light
from gpuport.cost.fewelements import is_little
from gpuport.records import Finding, Severity
from gpuport.source.module import Module
from gpuport.source.names import FunctionNode, Scope

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


_LETTING_GO = frozenset({"GP902", "GP906", "GP909"})
"""Reasons that leave an array to code which may keep it."""

PICKED = 0.9 * SYNCHRONISATION
"""Cost of waiting for a single element that is used, a little less than of bringing it back."""


ON_ELEMENTS = "a loop works on single elements here; its arrays stay on the host"
"""What is said of a loop of which nothing more is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """A finding that is made on the way.

    Attributes
    ----------
    finding : Finding
    on : Node or None
        Where this node is not on the device it does not count.
    unknown : ast.expr or None
        An expression of which it would have to be known what it is.
    """

    finding: Finding
    on: Node | None
    unknown: ast.expr | None


@dataclass(slots=True, eq=False)
class Placing(Whereabouts):
    """The graph of a function's array work, and the text that the work is."""

    project: Project
    module: Module
    scope: Scope
    name: str
    node: ast.Module | FunctionNode
    decorated: bool
    graph: Graph = field(default_factory=Graph)
    nodes: dict[tuple[str, int], Node] = field(default_factory=dict)
    work: Work = field(default_factory=Work)
    parameters: Parameters = field(default_factory=Parameters)
    memory: Memory = field(default_factory=Memory)
    forms: LoopForms = field(default_factory=LoopForms)
    notes: dict[tuple[str, int], Note] = field(default_factory=dict)
    knowledge: Knowledge = field(init=False)
    """Rules and tables."""
    host: Node = field(init=False)

    def node_for(self, kind: str, node: ast.AST, label: str, *, told_apart: bool = False) -> Node:
        """The graph node of a piece of syntax, made when first asked for."""
        key = (kind, id(node))
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = self.graph.node(label, told_apart=told_apart)
        return found

    def operation(
        self,
        node: ast.AST,
        label: str,
        work: float,
        *,
        path: str | None = None,
        function: ast.expr | None = None,
        target: str | None = None,
        only_numbers: bool = False,
        creates: bool = False,
        one_element: bool = False,
        crossing: bool = False,
    ) -> Node:
        """Graph node of an operation that can run on either side.

        ``crossing``: what it is given goes to the device each time that it runs there.
        """
        graph_node = self.node_for("operation", node, label)
        if path is not None and is_light(self.knowledge.words, path):
            graph_node.root().light = True
        known = self.work.operations.get(id(node))
        little = known is not None and known.little
        if known is None:
            stacked = bool(self.in_stacked)
            repeated = 0 if stacked else len(self.loops)
            shapes = self.project.calls.shapes(self.project, self.scope)
            again = repeated or (shapes.repeated and not stacked)
            little = is_little(self.node, node, repeated, shapes, stacked=stacked)
            if not little:
                graph_node.root().host_cost += work * self.weight
            elif work and again:
                graph_node.root().device_cost += LAUNCH * max(self.weight, 4**shapes.repeated)
            if only_numbers:  # a launch for a single number, or for those of all items
                often = self.loops and not self.in_stacked
                graph_node.root().device_cost += self.weight if often else 0.1
            if crossing and repeated:
                graph_node.root().device_cost += TRANSFER * self.weight
        operation = Operation(
            node, graph_node, path, function, target, only_numbers, creates, one_element, little
        )
        self.work.operations[id(node)] = operation
        if function is not None and self.frozen_text:
            self.pin(
                graph_node,
                "GP906",
                "unsupported syntax: it stands in an f-string that is not edited",
                node,
                "unsupported-syntax",
            )
        if self.guarded is not None:
            self.graph.pin(graph_node, self.guarded)
        if self.project.suppressed(getattr(node, "lineno", 0)):
            self.pin(graph_node, "GP910", "suppressed by a comment", node)
        return graph_node

    def pin(
        self,
        graph_node: Node,
        code: str,
        message: str,
        node: ast.AST,
        slug: str | None = None,
        rule: str | None = None,
        help: str | None = None,
        unknown: ast.expr | None = None,
    ) -> None:
        """Keep a node on the host and say why."""
        self.graph.pin(graph_node, Reason(code, message, node, slug, rule, help, unknown))

    def note(
        self,
        code: str,
        message: str,
        node: ast.AST,
        on: Node | None = None,
        severity: Severity = Severity.WARNING,
        rule: str | None = None,
        unknown: ast.expr | None = None,
    ) -> None:
        """Keep a finding, as `Note` has it."""
        finding = Finding(code, severity, self.module.span(node), message, self.name, rule=rule)
        self.notes[code, id(node)] = Note(finding, on, unknown)

    def use(
        self, expression: ast.expr, flow: Flow, consumer: Node, *, implicit: bool = False,
        stored: bool = False,
    ) -> None:  # fmt: skip
        """A value flows into an operation; containers share the place of what they flow into."""
        if flow.origin is None:
            return
        if is_container(flow.value) and on_device_possible(flow.value):
            self.graph.gather(flow.origin, consumer)
            return
        if not on_device_possible(flow.value) and not isinstance(flow.value, Sequence):
            return
        self.graph.use(
            expression,
            flow.origin,
            consumer,
            flow.value,
            self.weight,
            movable=self.movable(expression),
            implicit=implicit,
            view=flow.view,
            stored=stored,
        )

    def movable(self, expression: ast.expr) -> bool:
        """Whether a transfer can be written around an expression."""
        fixed = self.frozen_text or self.inseparable
        return not fixed and not self.project.suppressed(expression.lineno)

    def use_leaves(self, expression: ast.expr, flow: Flow, consumer: Node) -> bool:
        """A container flows to what looks at it and keeps nothing: its arrays may be moved.

        Returns
        -------
        bool
            Whether that can be written; else the container has to stay where that is.
        """
        if flow.origin is None or not has_movable_leaves(flow.value) or item_names(flow.value):
            return False
        if isinstance(expression, ast.GeneratorExp):  # a wrapper would have to run it
            return False
        self.graph.use(
            expression,
            flow.origin,
            consumer,
            flow.value,
            self.weight,
            movable=self.movable(expression),
        )
        return True

    def to_host(self, expression: ast.expr, flow: Flow) -> None:
        """A value flows to something that wants host values and keeps nothing."""
        self.use(expression, flow, self.host)

    def escape(self, expression: ast.expr, flow: Flow, reason: Reason) -> None:
        """A value flows to something that may keep or change it: its group stays on the host."""
        if flow.origin is None or not on_device_possible(flow.value):
            return
        if not flow.fresh or is_container(flow.value):
            self.graph.pin(flow.origin, reason)
            self.parameters.escaped |= flow.origin.root().parameters
            if reason.code in _LETTING_GO:
                flow.origin.root().let_go = True
                self.memory.changing.append((flow.origin, reason.node))
        self.to_host(expression, flow)

    def lend(self, expression: ast.expr, flow: Flow, consumer: Node, reason: Reason) -> None:
        """A value flows to something that may read it later: a copy does until it is written."""
        if flow.origin is None or not on_device_possible(flow.value):
            return
        if not flow.fresh:
            around = [getattr(loop, "lineno", 0) for loop in self.loop_nodes]
            self.memory.lent.append((flow.origin, min([*around, self.line]), reason))
        self.use(expression, flow, consumer)

    def element_work(self, node: ast.AST, *touched: Node | None) -> None:
        """Work on single elements in a loop: a launch each on the device, so it stays here."""
        if self.in_stacked:
            return  # all items at once
        loop = self.loop_nodes[-1] if self.loop_nodes else node
        refusal = self.forms.refusals.get(id(loop))
        code, message = "GP201", ON_ELEMENTS
        if id(loop) in self.filtered:
            message = (
                "a comprehension with `if` keeps as many items as the data say: its arrays stay on "
                "the host; make all the items, and take those that count after it, `values[keep]`"
            )
        if refusal is not None:
            code, message = refusal.code, f"the loop stays in Python: {refusal.message}"
        for group in touched:
            if group is not None:
                self.pin(group, code, message, loop)

    def mutate(self, flow: Flow, call: ast.AST | None = None) -> None:
        """The memory behind a value is written, perhaps by a call."""
        if flow.origin is not None:
            self.memory.write(flow.origin, flow.memory, self.line)
            if call is not None:
                self.memory.changing.append((flow.origin, call))

    def wait(
        self, node: ast.AST, origin: Node, *, picked: bool = False, named: Node | None = None
    ) -> None:
        """The host waits for a number, where that is on the device.

        For numbers that a loop takes one by one it would wait in each round, and all of them can
        cross before it. Single elements that are ``picked`` out of arrays are there for nothing
        where these are on the host. So can a ``named`` number that is waited for more than once.
        """
        root = origin.root()
        if id(node) not in self.work.syncs:
            if named is not None and self.weight > 1.0 and not self.in_stacked:
                seen = self.memory.waits[named] = self.memory.waits.get(named, 0) + 1
                again = 0.0 if seen == 1 else 2.0 if seen == 2 else 1.0
                named.root().device_cost += again * SYNCHRONISATION * self.weight
            if any(n.root() is root for n, _ in self.memory.taken):
                root.device_cost += SYNCHRONISATION * self.weight
            elif picked:
                root.device_cost += PICKED * self.weight
        self.work.syncs[id(node)] = (node, origin)

    def fresh(self, node: ast.AST, value: Value, graph_node: Node) -> Flow:
        """The new result of an operation."""
        if not on_device_possible(value):
            return Flow(value)
        return Flow(value, graph_node, fresh=True)

    def item_of(self, container: Node | None, value: Value, key: str | None = None) -> Node | None:
        """The node of an item of a container: of a container in it, or of its arrays.

        ``key``: under which it is in a dict, or its place in a tuple, where that is known.
        """
        if container is not None and is_container(value):
            return self.graph.inner(self.graph.slot(container, key))
        if container is None or not on_device_possible(value):
            return None
        return self.graph.slot(container, key) if container.cell().told_apart else container


__all__ = ["Placing"]
