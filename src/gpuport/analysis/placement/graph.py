"""The data-flow graph that placement cuts.

A node is an operation, or a *storage group*: all names, views and containers that may share
memory, which therefore live in one place. A use is an expression through which a value flows
from one node to another; where the two end up in different places the expression is wrapped
in a transfer.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from gpuport._frozen import frozen
from gpuport.analysis.values.lattice import Value, join
from gpuport.source.syntax import dotted, walk

if TYPE_CHECKING:
    from gpuport.analysis.placement.copies import Shared


class Place(StrEnum):
    """Where a value lives, or an operation runs."""

    DEVICE = "device"
    HOST = "host"


@frozen
class Reason:
    """Why a node stays on the host: the seed of a finding.

    ``unknown`` is the expression of which it is not known whether it is an array.
    """

    code: str
    message: str
    node: ast.AST
    slug: str | None = None
    rule: str | None = None
    help: str | None = None
    unknown: ast.expr | None = None


def keeps(reason: Reason) -> bool:
    """Whether what keeps an array on the host may change it, or refer to it later."""
    asked = reason.code == "GP902" and reason.slug == "unknown-type"
    return reason.code in ("GP902", "GP909") and not asked


def unsupported(node: ast.AST, what: str) -> Reason:
    """Syntax that the analysis does not follow."""
    return Reason("GP906", f"unsupported syntax: {what}", node, "unsupported-syntax")


@dataclass(slots=True, eq=False)
class Node:
    """An operation or a storage group.

    Attributes
    ----------
    label : str
        What people are shown of it.
    host_cost, device_cost : float
        What it costs to have it there, in units of one elementwise operation.
    pinned : Reason or None
        Why it cannot be on the device.
    device_only : bool
        Whether it has to be on the device (the result of a ported function).
    device_call : bool
        Whether it is a call that gives arrays of the device wherever it is called from.
    mutated : bool
        Whether memory of it, or of what shares its place, is written after it was made.
    written, smeared : bool
        Whether its own memory is; of what shares its place, whether it is not told whose.
    mixed : bool
        A container that also holds host numbers.
    dimensionless : bool
        A container that holds arrays without dimensions.
    zero_d : bool
        A sink for which an array without dimensions, or any number, does as well as a scalar.
    iterated : bool
        Whether a loop goes through an array of it element by element.
    parameters : set of str
        Parameters of the function whose arguments are in the group.
    light : bool
        Whether it only moves data about or changes its type: worth no transfer, and best done
        where that data is.
    unsure : bool
        Whether an argument is in it that nothing says to be an array but how it is used: only a
        boundary that takes it to the device asks what it is.
    textual : bool
        Whether an array is in it that was read from a file which may as well hold text, and
        nothing has calculated with it.
    contents : Value or None
        What was put into the container, of its `cell`; None where nothing was, or where the claim
        of the container says of each item what it is.
    inner : Node or None
        The containers in the container, of its `cell`.
    slots : dict or None
        Of the `cell`, what is under each key of a dict, or at each place of a tuple, as a container
        of its own; None where they are not told apart.
    parent, same : Node or None
        Another node of the same place; of containers that may be the same.
    apart : tuple or None
        Of tuples that a loop takes apart at once, where the items are, which share no place.
    told_apart : bool
        Of the `cell`, whether what is under its keys may be in different places: nothing is done
        with the container as a whole.
    makes : ast.Call or None
        The call that made a dict which makes what is asked for.
    disputed : bool
        Whether several things keep it on the host, of which the reason names one: they were seen
        before it was known that they keep the same.
    let_go : bool
        Whether an array in it is kept where it is not followed: a copy of it is another array.
    """

    label: str
    host_cost: float = 0.0
    device_cost: float = 0.0
    pinned: Reason | None = None
    device_only: bool = False
    device_call: bool = False
    mutated: bool = False
    written: bool = False
    smeared: bool = False
    mixed: bool = False
    dimensionless: bool = False
    iterated: bool = False
    zero_d: bool = False
    light: bool = False
    unsure: bool = False
    textual: bool = False
    makes: ast.Call | None = None
    disputed: bool = False
    let_go: bool = False
    contents: Value | None = None
    parameters: set[str] = field(default_factory=set)
    parent: Node | None = None
    inner: Node | None = None
    slots: dict[str, Node] | None = None
    same: Node | None = None
    apart: tuple[Node | None, ...] | None = None
    told_apart: bool = False

    def root(self) -> Node:
        """Representative of the group that the node belongs to."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def cell(self) -> Node:
        """Representative of the containers that may be one and the same.

        ``contents``, ``mixed`` and ``inner`` are those of this node.
        """
        node = self
        while node.same is not None:
            node = node.same
        return node

    @property
    def is_written(self) -> bool:
        """Whether its own memory may be written after it was made."""
        return self.written or self.root().smeared

    @property
    def is_blurred(self) -> bool:
        """Whether something was put into the container and it is not told where."""
        return self.contents is not None or self.inner is not None

    def holds_numbers(self) -> bool:
        """Whether a container, or one in it, also holds numbers of the host."""
        return any(cell.mixed for cell in self.cells())

    def places(self) -> set[Node]:
        """Representatives of its group, and of those of what a container holds."""
        return {self.root(), *(cell.root() for cell in self.cells())}

    def cells(self) -> list[Node]:
        """The cells of a container, and of those in it."""
        found, seen = [self.cell()], set[int]()
        for cell in found:
            held = (cell.inner, *(cell.slots or {}).values())
            new = [one.cell() for one in held if one is not None]
            found += [one for one in new if id(one) not in seen]
            seen.update(map(id, new))
        return found


@dataclass(slots=True, eq=False)
class Use:
    """A value on its way from one node to another.

    ``movable`` False: the value cannot be transferred here, both ends must share a place.
    """

    expression: ast.expr
    producer: Node
    consumer: Node
    value: Value
    weight: float
    movable: bool = True
    after: ast.stmt | None = None
    """Where the value has a name only after this statement: it is moved by one of its own."""
    before: ast.stmt | None = None
    """Where the value is moved by a statement of its own, before this one."""
    view: bool = False
    """Whether it is a part of what the producer holds, not the thing itself."""
    shared: Shared | None = None
    """The copy that it may read instead of moving the value by itself."""
    implicit: bool = False
    """A call of a ported function moves host arrays by itself when another is on the device."""
    apart: ast.stmt | None = None
    """The loop that reads a copy of its own, which is made right before it."""
    stored: bool = False
    """Kept by a name or in a list: a number is then where it was made. Operations take numbers of
    the host as they are, but nothing makes them numbers of the device."""

    @property
    def seldom(self) -> bool:
        """Whether it is needed only where a kernel cannot run that does the same."""
        return self.weight < 1.0


def _telling(first: Reason | None, second: Reason | None) -> Reason | None:
    """The earlier reason, unless it merely follows from where something comes from.

    One that lets others change or keep the value stands before one that does not.
    """
    if first is None or (first.slug is None and second is not None and second.slug is not None):
        return second
    if second is not None and keeps(second) and not keeps(first):
        return second
    return first


class Graph:
    """Nodes, uses and the groups they form; built by the analysis, read by placement."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.uses: dict[tuple[int, int], Use] = {}
        self.called: set[int] = set()
        """Attributes that are read by calling what stands behind them."""

    def node(self, label: str, *, told_apart: bool = False) -> Node:
        """A new node of its own."""
        node = Node(label, told_apart=told_apart)
        self.nodes.append(node)
        return node

    def unite(self, a: Node, b: Node) -> Node:
        """Make two nodes share a place; containers may be one and the same, with all they hold."""
        self._unite_cells(a.cell(), b.cell())
        self._share(a, b)
        return a.cell()

    def _unite_cells(self, a: Node, b: Node) -> None:
        if a is b:
            return
        if not (a.told_apart and b.told_apart):
            self.hold(a)
            self.hold(b)
        if a.is_blurred or b.is_blurred:
            self.blur(a)
            self.blur(b)
            a, b = a.cell(), b.cell()
            if a is b:
                return
        b.same = a
        a.mixed, a.makes = a.mixed or b.mixed, a.makes or b.makes
        for key, slot in (b.slots or {}).items():
            self.unite(self.slot(a, key), slot)
        a = a.cell()
        if b.contents is not None:
            a.contents = b.contents if a.contents is None else join(a.contents, b.contents)
        if a.inner is None:
            a.inner = b.inner
        elif b.inner is not None:
            self._unite_cells(a.inner.cell(), b.inner.cell())

    def slot(self, container: Node, key: str | None) -> Node:
        """What is under a key of a dict, or at a place of a tuple, as a container.

        Where the key is not known, or keys are not told apart, that is the container itself.
        """
        cell = container.cell()
        if key is None:
            self.blur(cell)
        elif cell.slots is None and not cell.is_blurred:
            cell.slots = {}
        if key is None or cell.slots is None:
            return cell
        if key not in cell.slots:
            cell.slots[key] = self.node(f"{cell.label}[{key!r}]", told_apart=cell.told_apart)
            cell.slots[key].parameters |= cell.root().parameters
            if not cell.told_apart:
                self._share(cell, cell.slots[key])
        return cell.slots[key]

    def blur(self, container: Node) -> None:
        """Tell the keys of a dict no longer apart."""
        cell = container.cell()
        slots, cell.slots = cell.slots, None
        for slot in (slots or {}).values():
            self.unite(cell, slot)

    def inner(self, container: Node) -> Node:
        """The containers in a container: they share its place."""
        self.blur(container)
        cell = container.cell()
        if cell.inner is None:
            cell.inner = self.node(f"in {cell.label}", told_apart=cell.told_apart)
        self._share(container, cell.inner)
        return cell.inner

    def gather(self, a: Node, b: Node) -> None:
        """Make two nodes share a place: their values may share memory, or one holds the other."""
        self.hold(a)
        self.hold(b)
        self._share(a, b)

    def hold(self, container: Node) -> None:
        """All that a container holds is in one place: it is used as a whole."""
        if not container.cell().told_apart:
            return  # all that it holds shares its place
        for cell in container.cells():
            cell.told_apart = False
            self._share(container, cell)
            for slot in (cell.slots or {}).values():
                self._share(container, slot)

    def _share(self, a: Node, b: Node) -> None:
        a, b = a.root(), b.root()
        if a is b:
            return
        b.parent = a
        a.host_cost += b.host_cost
        a.device_cost += b.device_cost
        several = None not in (a.pinned, b.pinned) and a.pinned != b.pinned
        a.disputed = a.disputed or b.disputed or several
        a.pinned = _telling(a.pinned, b.pinned)
        a.device_only = a.device_only or b.device_only
        a.device_call = a.device_call or b.device_call
        a.mutated = a.mutated or b.mutated
        a.smeared = a.smeared or b.smeared
        a.dimensionless = a.dimensionless or b.dimensionless
        a.iterated = a.iterated or b.iterated
        a.light = a.light and b.light
        a.unsure = a.unsure or b.unsure
        a.textual = a.textual or b.textual
        a.let_go = a.let_go or b.let_go
        a.parameters |= b.parameters

    def keep_together(self, container: Node) -> None:
        """Have the numbers that are put into a container where it is: they become one array."""
        cells = {id(cell.root()) for cell in container.cells()}
        for use in self.uses.values():
            use.stored = use.stored or id(use.consumer.root()) in cells

    def pin(self, node: Node, reason: Reason) -> None:
        """Keep a node on the host; the first reason that tells something stands."""
        self.hold(node)
        root = node.root()
        root.pinned = _telling(root.pinned, reason)

    def _is_repeatable(self, expression: ast.expr) -> bool:
        """Whether an expression names something, so that it may as well stand there twice."""
        return dotted(expression) is not None and not any(
            id(inner) in self.called for inner in walk(expression)
        )

    def use(
        self,
        expression: ast.expr,
        producer: Node,
        consumer: Node,
        value: Value,
        weight: float,
        *,
        movable: bool = True,
        implicit: bool = False,
        after: ast.stmt | None = None,
        before: ast.stmt | None = None,
        view: bool = False,
        stored: bool = False,
        apart: ast.stmt | None = None,
    ) -> None:
        """Record (or renew) that the value of an expression flows between two nodes."""
        if isinstance(expression, ast.Starred):  # it is moved before it is spread
            expression = expression.value
        if getattr(value, "optional", False) and not self._is_repeatable(expression):
            movable = False  # what moves an array or None asks first which it is
        self.hold(producer)
        self.hold(consumer)
        key = (id(expression), id(consumer))
        self.uses[key] = Use(
            expression, producer, consumer, value, weight, movable, after, before, view,
            implicit=implicit, stored=stored, apart=apart,
        )  # fmt: skip
