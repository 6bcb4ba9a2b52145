"""What is learned of one function while it is read, each kind of thing by itself."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.functions.returncases import Case
from gpuport.analysis.interpretation.flows import Flow, Operation, Rewrite
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lattice import Value, join_all
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import handed_on

if TYPE_CHECKING:
    from gpuport.analysis.batches.loops import Noted
    from gpuport.analysis.calls.vectorized import DisguisedLoop
    from gpuport.analysis.loops.apart import Apart
    from gpuport.analysis.loops.nests import Launch
    from gpuport.analysis.statements.closures import BoundLater
    from gpuport.loops.records import Refusal


@dataclass(slots=True, eq=False)
class Work:
    """The array work of a function, and the changes of its text that go with it."""

    operations: dict[int, Operation] = field(default_factory=dict)
    rewrites: dict[tuple[str, int], Rewrite] = field(default_factory=dict)
    host_calls: dict[int, Reason] = field(default_factory=dict)
    replacements: dict[int, tuple[object, ...]] = field(default_factory=dict)
    syncs: dict[int, tuple[ast.AST, Node]] = field(default_factory=dict)
    slice_bounds: dict[int, tuple[ast.expr, Node, Node]] = field(default_factory=dict)
    """Numbers that bound slices, with the array's: where both are there, slicing waits for it."""
    read_back: dict[int, tuple[ast.AST, Node, str]] = field(default_factory=dict)
    """Operations that read something back by themselves: a ``size``, or ``values``."""
    disguised_loops: dict[int, DisguisedLoop] = field(default_factory=dict)
    """By the ids of the calls."""


@dataclass(slots=True, eq=False)
class Parameters:
    """What a function takes, what of that it relies on, and what becomes of it."""

    nodes: dict[str, Node] = field(default_factory=dict)
    initial: dict[str, Value] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    assumed: set[str] = field(default_factory=set)
    assumed_uses: dict[int, Node] = field(default_factory=dict)
    presumed: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)
    """Integers by their defaults: as an index, calls may give a slice in their place."""
    """Those that are taken for numbers of some type; no boundary asks whether they are."""
    required: set[str] = field(default_factory=set)
    receiver_numbers: set[str] = field(default_factory=set)
    matrices: set[str] = field(default_factory=set)
    on_host: set[str] = field(default_factory=set)
    escaped: set[str] = field(default_factory=set)
    lent: set[str] = field(default_factory=set)
    ordered: set[str] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Returned:
    """What a function gives back, and what that shares memory with."""

    values: dict[Case, Value] = field(default_factory=dict)
    """By the conditions of its parameters under which it does."""
    case: Case = ()
    parameters: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    views: Reason | None = None
    groups: list[Node] = field(default_factory=list)
    named: dict[tuple[int, int], Node] = field(default_factory=dict)
    """Arrays of names, by the statement that returns them and the place in it."""
    waits: bool = False
    """Whether it calls itself, and gives back what that gives, of which nothing is known yet."""
    generates: bool = False
    """Whether it is a generator, read for what it hands out."""

    @property
    def value(self) -> Value | None:
        """What it gives back, whatever it is given; None where it was not seen to return."""
        return join_all(list(self.values.values())) if self.values else None

    def kept(self, host: Node) -> bool:
        """Whether it may also be kept elsewhere, or by the host: callers do not own it.

        Of an array that stands in two places of what is returned each keeps it from the other.
        """
        held = (group.root() for group in self.groups)
        if any(root.let_go or root is host.root() for root in held):
            return True
        apart = Counter((statement, id(node.root())) for (statement, _), node in self.named.items())
        return any(count > 1 for count in apart.values())


@dataclass(slots=True, eq=False)
class Memory:
    """Who writes the memory of arrays, keeps it, or asks how it is laid out."""

    made: dict[str, bool] = field(default_factory=dict)
    """Names, and whether all that they were bound to was made here for them alone."""
    lent: list[tuple[Node, int, Reason]] = field(default_factory=list)
    written: list[tuple[Node, int]] = field(default_factory=list)
    changing: list[tuple[Node, ast.AST]] = field(default_factory=list)
    """What calls change, or may change, with the calls."""
    taken: list[tuple[Node, Node]] = field(default_factory=list)
    """Numbers that loops take one by one, and the arrays that they are taken of."""
    waits: dict[Node, int] = field(default_factory=dict)
    """How often the host waits in loops for numbers that have names."""
    foreign: list[Node] = field(default_factory=list)
    reshaped: list[tuple[Node, ast.Call]] = field(default_factory=list)
    ordered: list[tuple[Node, ast.Call, str]] = field(default_factory=list)
    """What goes to functions that do one thing or another by its order in memory; their names."""
    laid_out: list[tuple[Node, ast.expr]] = field(default_factory=list)
    """What gives elements in the order that an array has in memory, or tells of that order."""

    def write(self, group: Node, owners: frozenset[Node] | None, line: int) -> None:
        """What a group holds is written, in memory that one of ``owners`` has; None: any."""
        root = group.root()
        root.mutated = True
        for owner in owners or ():
            owner.written = True
        root.smeared |= owners is None
        self.written.append((group, line))


@dataclass(slots=True, eq=False)
class ProgramCalls:
    """Calls of functions of the program, and what goes there and comes from there."""

    any: bool = False
    ported: set[int] = field(default_factory=set)
    """Those of functions that always give device arrays, and whose results are known."""
    followed: dict[tuple[int, int], tuple[ast.AST, FunctionNode]] = field(default_factory=dict)
    given: list[tuple[Node, int]] = field(default_factory=list)
    """What goes to followed functions that may store into it; whether they do, its group tells."""
    given_back: list[tuple[Node, FunctionNode]] = field(default_factory=list)
    """What they give."""


@dataclass(slots=True, eq=False)
class LoopForms:
    """What becomes of loops, and which of them are still to be read."""

    launches: dict[int, Launch] = field(default_factory=dict)
    batches: dict[int, Noted] = field(default_factory=dict)
    refusals: dict[int, Refusal] = field(default_factory=dict)
    apart: dict[tuple[int, str], Apart] = field(default_factory=dict)
    """Loops that read copies of arrays, by their ids and the names of these."""
    copied: dict[int, Flow] = field(default_factory=dict)
    """Attributes in such loops that stand for copies, by the ids of the expressions."""
    waiting: set[int] = field(default_factory=set)
    """Loops over what is still empty in the first trip of a loop around them: read later."""
    unfilled: set[int] = field(default_factory=set)
    """Those of them in whose lists no trip was seen to put anything."""


@dataclass(slots=True, eq=False)
class Marked:
    """Expressions that what stands around them makes special, by their ids."""

    sums: set[int] = field(default_factory=set)
    """Calls of `sum` over arrays: of none it gives a number of Python's."""
    compared: set[int] = field(default_factory=set)
    """Lambdas that are given as a ``key``, and read where the call stands."""
    consumed: set[int] = field(default_factory=set)
    exhausted: set[int] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)
    """Displays that stand among arrays which are joined: arrays are made of them."""
    read_at_once: set[int] = field(default_factory=set)
    """Displays of which a function takes the arrays, and that nothing else sees."""
    listened: set[int] = field(default_factory=set)
    """Calls that ask for warnings of a block of ``with`` alone, which stays on the host for it."""
    taken_apart: set[int] = field(default_factory=set)
    """Calls of ``zip`` and ``enumerate`` of whose tuples nothing is left but their items."""
    tested: set[int] = field(default_factory=set)
    """Expressions whose truth is asked for: arrays of several elements have none."""

    def consume(self, *expressions: ast.expr) -> None:
        """What is run to its end where it stands: a generator among them is no code that waits.

        Nor is a call of ``map``, also where ``zip`` and the like go over it in turn.
        """
        for one in expressions:
            self.consumed.add(id(one))
            self.consume(*handed_on(one))


@dataclass(slots=True, eq=False)
class Later:
    """Names that matter to code which runs later."""

    read: dict[str, Reason] = field(default_factory=dict)
    """Those that such code reads which is not followed."""
    bound: dict[str, BoundLater] = field(default_factory=dict)
    """Those that followed inner functions read and that are bound further down."""
    waiting: dict[str, ast.FunctionDef | ast.Lambda] = field(default_factory=dict)
    """Inner functions that nothing but loops call, as long as these loops may become kernels."""


__all__ = [
    "Later", "LoopForms", "Marked", "Memory", "Parameters", "ProgramCalls", "Returned", "Work",
]  # fmt: skip
