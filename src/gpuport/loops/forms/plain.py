"""A loop in plain form: each ``for`` over a ``range``, one target per assignment, flat indices."""

from __future__ import annotations

import ast
from collections import Counter as Counts
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gpuport.loops.context.extents import extents_written_in
from gpuport.loops.context.purity import side_effect
from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import Fact
from gpuport.loops.forms.assignments import Assignments
from gpuport.loops.forms.compared_tuples import compared_apart, stored_as_tuples
from gpuport.loops.forms.entries import entries_named
from gpuport.loops.forms.expressions import Plain
from gpuport.loops.forms.inlined_bodies import bodies_written_in
from gpuport.loops.forms.inlining import written_in
from gpuport.loops.forms.loops import PlainLoops, reads_in
from gpuport.loops.forms.renamed import named_apart
from gpuport.loops.forms.returns import Returned, returned, without_else
from gpuport.loops.forms.rows_by_index import parts_by_index, rows_by_index
from gpuport.loops.heads.counting import Counter, counting
from gpuport.loops.heads.heads import Row
from gpuport.loops.heads.iteration import Heads
from gpuport.loops.heads.literals import literal_items
from gpuport.loops.names import Fresh, stored
from gpuport.loops.parts.orders import orders_written_in, written_arrays
from gpuport.loops.parts.slices import Slices
from gpuport.loops.parts.vectors import written_out
from gpuport.loops.private.statements import privates_written_out
from gpuport.loops.private.tables import Table, tables_written_in
from gpuport.loops.reasons import DATA_EXIT, SIDE_EFFECT, UNSUPPORTED, Refused
from gpuport.loops.records import Packed
from gpuport.loops.ties.none_first import first_asked, flagged
from gpuport.loops.ties.packed_places import items_apart
from gpuport.source import syntax

_STATEMENT = {
    ast.Try: "`try`",
    ast.TryStar: "`try`",
    ast.With: "`with`",
    ast.Raise: "`raise`",
    ast.Assert: "`assert`",
    ast.Delete: "`del`",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.FunctionDef: "a function definition",
    ast.AsyncFunctionDef: "a function definition",
    ast.ClassDef: "a class definition",
    ast.Match: "`match`",
    ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
}


@dataclass(frozen=True)
class PlainLoop:
    """The outermost loop of a region in plain form.

    Attributes
    ----------
    statement : ast.For or ast.While
        A copy; the user's tree is left alone.
    guards : tuple of str
        What unpacking in loop heads takes for granted.
    counter : Counter or None
    joint : frozenset of str
        Variables of one loop over several indices: all are bound, or none is.
    spread : frozenset of str
        Variables of loops over parts of arrays that threads have to share.
    integers : frozenset of str
        Names that stand in bounds of parts.
    returned : Returned or None
        What the loop returned, where assignments were made of that.
    packed : tuple of Packed
        Tuples and lists of which only the items are set.
    otherwise : tuple of stmt
        The ``else`` that the loop had.
    unfilled : mapping of str to (str or None)
        As `Slices.unfilled`.
    first : frozenset of str
        Numbers that have to begin as the first iteration would make them.
    rows : mapping of str to Row
        Names of rows that the loop goes through.
    """

    statement: ast.For | ast.While
    guards: tuple[str, ...]
    counter: Counter | None
    joint: frozenset[str]
    spread: frozenset[str]
    integers: frozenset[str]
    returned: Returned | None = None
    packed: tuple[Packed, ...] = ()
    otherwise: tuple[ast.stmt, ...] = ()
    unfilled: Mapping[str, str | None] = field(default_factory=dict)
    first: frozenset[str] = frozenset()
    rows: Mapping[str, Row] = field(default_factory=dict)


class Plainer:
    """Brings loops into plain form.

    Parameters
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    live : frozenset of str
        Names that something reads after the region.
    tables : mapping of str to Table
        Numbers that are written out before the region.
    """

    def __init__(
        self,
        facts: Mapping[str, Fact],
        fresh: Fresh,
        ranks: Mapping[str, int],
        live: frozenset[str],
        tables: Mapping[str, Table],
    ) -> None:
        self.live = live
        self.tables = tables
        self.heads = Heads(facts, fresh, ranks)
        self.fresh = fresh
        self.rows: dict[str, Row] = {}
        self.gone_through: dict[str, Row] = {}
        self.guards: list[str] = []
        self.joint: set[str] = set()
        self.reads: Counts[str] = Counts()
        self.stored: set[str] = set()
        self.exposed: set[str] = set()
        self.outermost: ast.stmt | None = None
        self.slices = Slices(facts, fresh, self.rows, ranks)

    def region(
        self,
        node: ast.For | ast.While,
        start: ast.expr | None,
        unset: Callable[[str], bool] = lambda _: False,
    ) -> PlainLoop:
        """The plain form of a region's outermost loop.

        Parameters
        ----------
        node : ast.For or ast.While
        start : expr or None
            The value that a counting ``while``'s variable has before it, where it is a literal.
        unset : callable
            Whether a name is None before it.
        """
        node = syntax.copied(node)
        entries_named(node, self.heads.facts)
        first = frozenset(first_asked(node, unset))
        self.guards += flagged(node, self.live, self.fresh, self.slices.numpy())
        otherwise: tuple[ast.stmt, ...] = ()
        if isinstance(node, ast.For):
            otherwise, node.orelse = tuple(node.orelse), []
        result, packed = self._rewritten(node)
        self.reads, self.stored = reads_in(node), stored([node])
        self.exposed, self.slices.assigned = exposed(node.body), self.stored
        self.slices.written = written_arrays(node)
        plain, counter = self._counting(node, start)
        self.outermost = plain
        made = self.statement(plain)
        self.nothing_before(plain)
        assert len(made) == 1
        loop = made[0]
        assert isinstance(loop, ast.For | ast.While)
        self.guards += self.slices.guards
        spread = frozenset(self.slices.spread)
        integers = frozenset(self.slices.integers)
        joint = frozenset(self.joint)
        guards = tuple(self.guards)
        return PlainLoop(
            statement=loop,
            guards=guards,
            counter=counter,
            joint=joint,
            spread=spread,
            integers=integers,
            returned=result,
            packed=packed,
            otherwise=otherwise,
            unfilled=self.slices.unfilled,
            first=first,
            rows=self.gone_through,
        )

    def _rewritten(self, node: ast.For | ast.While) -> tuple[Returned | None, tuple[Packed, ...]]:
        """Write in place what stands for more: functions, tuples, tables, arrays of its own."""
        result = returned(node, self.fresh)
        written_in(node, self.heads.facts)
        bodies_written_in(node, self.heads.facts, self.fresh)
        self.gone_through |= rows_by_index(node, self.heads.facts, self.fresh, self.live)
        self.slices.integers |= parts_by_index(node, self.heads.facts, self.fresh)
        kept = self.live.union(result.names if result is not None else ())
        self.guards += extents_written_in(node, kept, self.heads.facts)
        compared_apart(node, self.heads.facts)
        stored_as_tuples(node)
        without_else(node, self.fresh)
        packed = items_apart(node, self.live, self.fresh)
        self.live |= {part for one in packed for part in one.parts}
        tables = {n: table for n, table in self.tables.items() if table.lineno < node.lineno}
        tables_written_in(node, tables)
        orders_written_in(node, self.live, self.heads.facts)
        privates_written_out(node, self.slices, self.live, tables)
        named_apart(node, self.slices.parts, self.live, self.fresh)
        self.guards += written_out(node, self.slices.parts, self.live, self.fresh)
        return result, packed

    def _counting(
        self, node: ast.For | ast.While, start: ast.expr | None
    ) -> tuple[ast.For | ast.While, Counter | None]:
        """The loop over a range where a ``while`` counts, and its counter.

        Raises
        ------
        Refused
        """
        counter = None
        plain: ast.For | ast.While = node
        if isinstance(node, ast.While):
            counted = counting(node, start, self.fresh)
            if counted is not None:
                plain, counter = counted
        if isinstance(plain, ast.For) and literal_items(plain.iter, self.heads.facts) is not None:
            raise Refused(
                UNSUPPORTED, plain, "a loop over a few written-out values stays a Python loop"
            )
        return plain, counter

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The plain form of consecutive statements."""
        made: list[ast.stmt] = []
        waiting, self.slices.made = self.slices.made, []
        for statement in statements:
            if isinstance(statement, ast.While):
                made += PlainLoops(self).inner_while(statement, made)
                continue
            one = self.statement(statement)
            before, self.slices.made = self.slices.made, []
            made += [*(self.block(before) if before else []), *one]
        self.slices.made = waiting
        return made

    def nothing_before(self, node: ast.stmt) -> None:
        """Refuse statements that a part of an array would need, where none can stand."""
        if self.slices.made:
            message = "a part of an array is taken where each iteration asks again"
            raise Refused(UNSUPPORTED, node, message)

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The plain form of one statement."""
        if isinstance(node, ast.Assign):
            return self._assign(node)
        if isinstance(node, ast.AnnAssign):
            if node.value is None:
                return []
            made = ast.Assign([node.target], node.value)
            return self._assign(ast.copy_location(made, node))
        if isinstance(node, ast.AugAssign):
            stored = self.slices.store(node)
            if stored is not None:
                return self._after_slices(stored)
            self.check_target(node.target)
            node.value = self.expression(node.value)
            if not isinstance(node.target, ast.Name):
                target = self.expression(node.target)
                assert isinstance(target, ast.Subscript)
                node.target = target
            return [node]
        if isinstance(node, ast.If):
            node.test = self.expression(node.test)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            node.body = node.body or [ast.copy_location(ast.Pass(), node)]
            return [node]
        if isinstance(node, ast.For):
            return PlainLoops(self).counted(node)
        if isinstance(node, ast.While):
            return PlainLoops(self).conditional(node)
        return self._other(node)

    def expression(self, node: ast.expr) -> ast.expr:
        """The plain form of an expression."""
        found = Plain(self.rows, self.heads.facts).visit(self.slices.replaced(node))
        assert isinstance(found, ast.expr)
        return found

    def _other(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Pass):
            return []
        if isinstance(node, ast.Break | ast.Continue):
            return [node]
        if isinstance(node, ast.Return):
            raise Refused(
                DATA_EXIT,
                node,
                f"`{ast.unparse(node)}` inside the loop: a data-dependent exit, later iterations "
                "must not run",
            )
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):
                return []
            if not isinstance(node.value, ast.Call):
                self.expression(node.value)
            raise Refused(SIDE_EFFECT, node, side_effect(node.value))
        what = _STATEMENT.get(type(node), f"`{type(node).__name__}`")
        raise Refused(UNSUPPORTED, node, f"{what} in the loop is not turned into a kernel")

    def check_target(self, target: ast.expr) -> None:
        """Refuse to assign to anything but names and elements.

        Raises
        ------
        Refused
        """
        if isinstance(target, ast.Name) and target.id not in self.rows:
            return
        if isinstance(target, ast.Subscript):
            return
        raise Refused(
            SIDE_EFFECT if isinstance(target, ast.Attribute) else UNSUPPORTED,
            target,
            f"assignment to `{ast.unparse(target)}` in the loop is not turned into a kernel",
        )

    def _assign(self, node: ast.Assign) -> list[ast.stmt]:
        if len(node.targets) > 1:
            return Assignments(self).chained(node)
        target, value = node.targets[0], node.value
        if isinstance(target, ast.List):
            target = ast.copy_location(ast.Tuple(target.elts, ast.Store()), target)
        if isinstance(target, ast.Tuple):
            return Assignments(self).unpacking(node, target, value)
        if isinstance(target, ast.Subscript) and isinstance(value, ast.Tuple):
            return Assignments(self).row_of_numbers(node, target, value)
        stored = self.slices.store(node) if isinstance(target, ast.Subscript) else None
        if stored is not None:
            return self._after_slices(stored)
        self.check_target(target)
        node.value = self.expression(value)
        if isinstance(target, ast.Subscript):
            node.targets = [self.expression(target)]
        return [node]

    def _after_slices(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Loops over elements, after the loops that make what they read."""
        before, self.slices.made = self.slices.made, []
        return self.block([*before, *statements])
