"""The analysis of one function (or of module-level code): its state while it is interpreted."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis.functions.returncases import Case
from gpuport.analysis.interpretation.flows import Flow, Operation, Rewrite
from gpuport.analysis.interpretation.whereabouts import Whereabouts
from gpuport.analysis.knowledge.tables import Knowledge
from gpuport.analysis.loops.cellwork import cell_work
from gpuport.analysis.placement.graph import Graph, Node, Reason
from gpuport.analysis.values.lattice import (
    Sequence,
    Unknown,
    Value,
    has_movable_leaves,
    is_container,
    item_names,
    join,
    join_all,
    objects_in,
    on_device_possible,
)
from gpuport.analysis.values.nesting import renewed
from gpuport.records import Finding, Severity
from gpuport.source.module import Module
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.batches.loops import Noted
    from gpuport.analysis.explanation.trace import Trace
    from gpuport.analysis.loops.apart import Apart
    from gpuport.analysis.loops.nests import Launch
    from gpuport.analysis.objects.instances import Objects
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.statements.closures import BoundLater
    from gpuport.loops.records import Refusal


_LETTING_GO = frozenset({"GP902", "GP906", "GP909"})
"""Reasons that leave an array to code which may keep it."""


@dataclass(slots=True, eq=False)
class Unit(Whereabouts):
    """State and result of interpreting one function.

    ``trial`` is not None where the function is interpreted as if its parameters were what call
    sites pass: it holds what names are then, by the loop that reads them. Nothing else is kept.
    """

    project: Project
    module: Module
    scope: Scope
    name: str
    node: ast.Module | FunctionNode
    decorated: bool
    graph: Graph = field(default_factory=Graph)
    env: dict[str, Flow] = field(default_factory=dict)
    operations: dict[int, Operation] = field(default_factory=dict)
    rewrites: dict[tuple[str, int], Rewrite] = field(default_factory=dict)
    host_calls: dict[int, Reason] = field(default_factory=dict)
    replacements: dict[int, tuple[object, ...]] = field(default_factory=dict)
    syncs: dict[int, tuple[ast.AST, Node]] = field(default_factory=dict)
    slice_bounds: dict[int, tuple[ast.expr, Node, Node]] = field(default_factory=dict)
    """Numbers that bound slices, with the array's: where both are there, slicing waits for it."""
    notes: dict[tuple[str, int], tuple[Finding, Node | None]] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    parameters: dict[str, Node] = field(default_factory=dict)
    initial: dict[str, Value] = field(default_factory=dict)
    results: dict[Case, Value] = field(default_factory=dict)
    """What it gives back, by the conditions of its parameters under which it does."""
    case: Case = ()
    returned_parameters: set[str] = field(default_factory=set)
    returned_parts: set[str] = field(default_factory=set)
    returned_views: Reason | None = None
    returned_groups: list[Node] = field(default_factory=list)
    escaped: set[str] = field(default_factory=set)
    sums: set[int] = field(default_factory=set)
    """Calls of `sum` over arrays: of none it gives a number of Python's."""
    made: dict[str, bool] = field(default_factory=dict)
    """Names, and whether all that they were bound to was made here for them alone."""
    lent: list[tuple[Node, int, Reason]] = field(default_factory=list)
    written: list[tuple[Node, int]] = field(default_factory=list)
    changing: list[tuple[Node, ast.AST]] = field(default_factory=list)
    """What calls change, or may change, with the calls."""
    handed_on: list[tuple[Node, int]] = field(default_factory=list)
    """What goes to followed functions that may store into it; whether they do, its group tells."""
    waiting: set[int] = field(default_factory=set)
    """Loops over what is still empty in the first trip of a loop around them: read later."""
    unfilled: set[int] = field(default_factory=set)
    """Those of them in whose lists no trip was seen to put anything."""
    member_calls: dict[tuple[int, int], tuple[ast.AST, FunctionNode]] = field(default_factory=dict)
    """Calls of followed functions."""
    reshaped: list[tuple[Node, ast.Call]] = field(default_factory=list)
    ordered_arguments: list[tuple[Node, ast.Call, str]] = field(default_factory=list)
    """What goes to functions that do one thing or another by its order in memory; their names."""
    ordered_parameters: set[str] = field(default_factory=set)
    given_back: list[tuple[Node, FunctionNode]] = field(default_factory=list)
    """What calls of functions of the program give."""
    foreign: list[Node] = field(default_factory=list)
    line: int = 0
    lent_parameters: set[str] = field(default_factory=set)
    unknown_parameters: set[str] = field(default_factory=set)
    host_parameters: set[str] = field(default_factory=set)
    calls_project: bool = False
    followed_calls: set[int] = field(default_factory=set)
    """Calls of ported functions that always give device arrays, and whose results are known."""
    waits: bool = False
    """Whether it calls itself, and gives back what that gives, of which nothing is known yet."""
    generates: bool = False
    """Whether it is a generator, read for what it hands out."""
    assumed: set[str] = field(default_factory=set)
    presumed: set[str] = field(default_factory=set)
    """Parameters that are taken for numbers of some type; no boundary asks whether they are."""
    receiver_numbers: set[str] = field(default_factory=set)
    matrices: set[str] = field(default_factory=set)
    assumed_uses: dict[int, Node] = field(default_factory=dict)
    refusal: Reason | None = None
    statement: ast.stmt | None = None
    nodes: dict[tuple[str, int], Node] = field(default_factory=dict)
    containers: dict[int, Flow] = field(default_factory=dict)
    launches: dict[int, Launch] = field(default_factory=dict)
    apart: dict[tuple[int, str], Apart] = field(default_factory=dict)
    """Loops that read copies of arrays, by their ids and the names of these."""
    loop_refusals: dict[int, Refusal] = field(default_factory=dict)
    batches: dict[int, Noted] = field(default_factory=dict)
    trial: dict[int, dict[str, Value]] | None = None
    trace: Trace | None = None
    compared: set[int] = field(default_factory=set)
    """Lambdas that are given as a ``key``, and read where the call stands."""
    consumed: set[int] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)
    """Displays that stand among arrays which are joined: arrays are made of them."""
    read_at_once: set[int] = field(default_factory=set)
    """Displays of which a function takes the arrays, and that nothing else sees."""
    exhausted: set[int] = field(default_factory=set)
    listened: set[int] = field(default_factory=set)
    """Calls that ask for warnings of a block of ``with`` alone, which stays on the host for it."""
    read_later: dict[str, Reason] = field(default_factory=dict)
    """Names that code reads which runs later and is not followed."""
    bound_later: dict[str, BoundLater] = field(default_factory=dict)
    """Names that followed inner functions read and that are bound further down."""
    objects: Objects | None = None
    unfollowed: dict[int, tuple[ast.expr, Value]] = field(default_factory=dict)
    knowledge: Knowledge = field(init=False)
    """Rules and tables."""
    return_node: Node = field(init=False)
    host: Node = field(init=False)

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
    def returns(self) -> Value | None:
        """What it gives back, whatever it is given; None where it was not seen to return."""
        return join_all(list(self.results.values())) if self.results else None

    @property
    def returning_nodes(self) -> list[Node]:
        """Where what it gives back is, in each case."""
        if self.objects is None or isinstance(self.node, ast.Module):
            return [self.return_node]
        return [self.objects.result_node(self.node, case) for case in (*self.results, self.case)]

    def node_for(self, kind: str, node: ast.AST, label: str) -> Node:
        """The graph node of a piece of syntax, made when first asked for."""
        key = (kind, id(node))
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = self.graph.node(label)
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
    ) -> Node:
        """Graph node of an operation that can run on either side."""
        graph_node = self.node_for("operation", node, label)
        if path is not None and self.knowledge.words.is_light(path):
            graph_node.root().light = True
        if id(node) not in self.operations:
            if not self._is_cell_work(node):
                graph_node.root().host_cost += work * self.weight
            if only_numbers:  # a launch for a single number, or for those of all items
                often = self.loops and not self.in_stacked
                graph_node.root().device_cost += self.weight if often else 0.1
        operation = Operation(node, graph_node, path, function, target, only_numbers, creates)
        self.operations[id(node)] = operation
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

    def _is_cell_work(self, node: ast.AST) -> bool:
        """Whether it is done for each cell of an array, on the few that lie around it."""
        return len(self.loops) > 1 and not self.in_stacked and id(node) in cell_work(self.node)

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
    ) -> None:
        """A finding; with ``on`` it counts only where that node is on the device."""
        finding = Finding(code, severity, self.module.span(node), message, self.name, rule=rule)
        self.notes[code, id(node)] = (finding, on)

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
            self.escaped |= flow.origin.root().parameters
            if reason.code in _LETTING_GO:
                flow.origin.root().let_go = True
                self.changing.append((flow.origin, reason.node))
        self.to_host(expression, flow)

    @property
    def returns_kept(self) -> bool:
        """Whether what is returned may also be kept elsewhere: callers do not own it."""
        held = (group.root() for group in self.returned_groups)
        return any(root.let_go or root is self.host.root() for root in held)

    def lend(self, expression: ast.expr, flow: Flow, consumer: Node, reason: Reason) -> None:
        """A value flows to something that may read it later: a copy does until it is written."""
        if flow.origin is None or not on_device_possible(flow.value):
            return
        if not flow.fresh:
            around = [getattr(loop, "lineno", 0) for loop in self.loop_nodes]
            self.lent.append((flow.origin, min([*around, self.line]), reason))
        self.use(expression, flow, consumer)

    def element_work(self, node: ast.AST, *touched: Node | None) -> None:
        """Work on single elements in a loop: a launch each on the device, so it stays here."""
        if self.in_stacked:
            return  # all items at once
        loop = self.loop_nodes[-1] if self.loop_nodes else node
        refusal = self.loop_refusals.get(id(loop))
        code, message = "GP201", "a loop works on single elements here; its arrays stay on the host"
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
            flow.origin.root().mutated = True
            for owner in flow.memory or ():
                owner.written = True
            flow.origin.root().smeared |= flow.memory is None
            self.written.append((flow.origin, self.line))
            if call is not None:
                self.changing.append((flow.origin, call))

    def fresh(self, node: ast.AST, value: Value, graph_node: Node) -> Flow:
        """The new result of an operation."""
        if not on_device_possible(value):
            return Flow(value)
        return Flow(value, graph_node, fresh=True)

    def consume(self, *expressions: ast.expr) -> None:
        """What is run to its end where it stands: a generator among them is no code that waits.

        Nor is a call of ``map``, also where ``enumerate`` or ``zip`` go over it in turn.
        """
        for one in expressions:
            self.consumed.add(id(one))
            if isinstance(one, ast.Call) and getattr(one.func, "id", "") in ("enumerate", "zip"):
                self.consume(*one.args)

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

    def refresh(self, flow: Flow) -> Flow:
        """A container's claim renewed from what its group is known to hold."""
        if flow.origin is None or not is_container(flow.value):
            return flow
        value = renewed(self, flow.value, flow.origin)
        return flow if value is flow.value else replace(flow, value=value)

    def item_of(self, container: Node | None, value: Value, key: str | None = None) -> Node | None:
        """The node of an item of a container: of a container in it, or of its arrays.

        ``key``: under which it is in a dict, or its place in a tuple, where that is known.
        """
        if container is not None and is_container(value):
            return self.graph.inner(self.graph.slot(container, key))
        return container if on_device_possible(value) else None

    def bind(self, name: str, target: ast.AST, expression: ast.expr, flow: Flow) -> None:
        """Bind a name: fresh results get a group of their own, others share their origin's."""
        if self.trace is not None:
            self.trace.bound(name, target, flow)
        number = any(id(part) in self.sums for part in walk(expression)) if self.sums else False
        self.made[name] = self.made.get(name, True) and flow.fresh and not number
        if flow.origin is None or not flow.fresh:
            self.env[name] = replace(flow, fresh=False) if flow.fresh else flow
            self.stay(name)
            return
        group = self.node_for("name", target, name)
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
        reason, flow = self.read_later.get(name), self.env[name]
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
                self.env[name] = self.join_flows(mine, flow)

    def join_flows(self, a: Flow, b: Flow) -> Flow:
        """What is true of both; their groups become one."""
        if a == b:
            return a
        origin = a.origin or b.origin
        if a.origin is not None and b.origin is not None:
            origin = self.graph.unite(a.origin, b.origin)
        value = join(a.value, b.value)
        self.lost(self.statement or self.node, value, a.value, b.value)
        held = on_device_possible(a.value) or on_device_possible(b.value)
        if isinstance(value, Unknown) and origin is not None and held:
            self.pin(
                origin,
                "GP901",
                "what it holds depends on the path taken",
                self.node,
                "unknown-type",
            )
        return Flow(
            value,
            origin,
            a.view or b.view,
            element=a.element or b.element,
            ordered=a.ordered and b.ordered,
            memory=None if a.memory is None or b.memory is None else a.memory | b.memory,
        )
