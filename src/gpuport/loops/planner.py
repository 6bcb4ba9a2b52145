"""Plans one region: a loop with everything in it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .accesses import Region
from .beginnings import Beginning
from .counters import counters
from .counting import nonempty
from .definitions import equal_extents, outer_ranges, views
from .dependence import Conflict, conflicts
from .forms import Plainer, PlainLoop
from .grid import Chain, chains, has_exit, is_element, lay_out
from .guards import without_implied
from .indices import elementwise, index_ranges
from .names import Fresh, bound_names, decided, loaded, named, range_text, stored
from .patterns import accumulations, kept, outlives, run_on, write_sums
from .ranks import shown_ranks
from .reading import Reader, integer_names
from .reasons import CARRIED, DATA_EXIT, UNSUPPORTED, Refused
from .records import (
    Accumulation,
    ArrayFact,
    Fact,
    LoopNest,
    LoopPlan,
    SubscriptRange,
    UnknownFact,
)
from .relations import Relations, budget
from .remedies import ruled_out, settle
from .scalars import exposed, inner_loops, live_after, surely_assigned
from .scans import find as find_scan
from .wholes import Wholes

Loop = ast.For | ast.While


@dataclass(frozen=True)
class _Reading:
    """A region in plain form.

    Attributes
    ----------
    plain : PlainLoop
    loop : ast.For
    counted : list of (str, str)
        Counters with their values after the loop.
    integers : set of str
        Names that the loop uses as whole numbers.
    """

    plain: PlainLoop
    loop: ast.For
    counted: list[tuple[str, str]]
    integers: set[str]


class Planner:
    """Plans one region: a loop with everything in it.

    Parameters
    ----------
    nest : LoopNest
    node : ast.For or ast.While
        The nest's loop, or one inside it.
    outer : tuple of ast.For or ast.While
        The loops around ``node`` that stay in Python.
    """

    def __init__(self, nest: LoopNest, node: Loop, outer: tuple[Loop, ...]) -> None:
        self.nest = nest
        self.node = node
        self.outer = outer
        self.live = nest.live_after if node is nest.node else live_after(nest.function, node)
        self.facts = _with_bound_names(nest)
        self.fresh = Fresh(named(nest.function))
        self.beginning = Beginning(nest, node)
        self.guards: list[str] = []
        self.last_values: list[tuple[str, str]] = []
        self.seen: Relations | None = None
        """What the last attempt found the loop to touch, for those who explain the result."""
        self.wholes: Wholes
        self.ranges: tuple[Region, tuple[list[SubscriptRange], list[str]]] | None = None

    def plan(self) -> LoopPlan:
        """The plan.

        Raises
        ------
        Refused
        """
        with budget(self.node):
            try:
                return self._parallel()
            except Refused as refused:
                if refused.code != CARRIED or self.outer:
                    raise
                scanned = self._scanned()
                if scanned is None:
                    raise
                return scanned

    def _read(self) -> _Reading:
        """The region in plain form, and what it touches."""
        self.guards, self.last_values = [], []
        plain = Plainer(self.facts, self.fresh, shown_ranks(self.nest.function), self.live).region(
            self.node, self.beginning.counter()
        )
        loop = plain.statement
        if not isinstance(loop, ast.For):
            raise Refused(
                DATA_EXIT,
                self.node,
                "a `while` whose number of iterations depends on data: each iteration decides "
                "whether the next one runs",
            )
        if any(is_element(child) for child in ast.walk(loop.iter)):
            raise Refused(
                UNSUPPORTED,
                loop.iter,
                f"the range `{ast.unparse(loop.iter)}` depends on elements of an array; put them "
                "into names before the loop (`start = int(x[i])`)",
            )
        changed = loaded([loop.iter]) & stored(loop.body)
        if changed:
            raise Refused(
                UNSUPPORTED,
                loop.iter,
                f"the loop assigns `{min(changed)}`, which its own range "
                f"`{ast.unparse(loop.iter)}` was made from; give one of them another name",
            )
        run_on(loop, self.live)
        exit_ = has_exit(loop.body)
        if exit_ is not None:
            raise Refused(
                DATA_EXIT,
                exit_,
                "`break` leaves the loop: a data-dependent exit, later iterations must not run",
            )
        integers = integer_names(loop)
        counted = counters(loop, self.fresh, self.beginning.text)
        return _Reading(plain, loop, counted, integers | integer_names(loop))

    def _touched(self, reading: _Reading) -> tuple[Region, Relations]:
        reader = Reader(reading.loop, self.facts, reading.integers)
        known = equal_extents(self.nest, self.node, reader.wholes)
        reader.wholes.symbols.constraints += outer_ranges(self.outer, reader.wholes)
        region = reader.read()
        self.wholes = reader.wholes
        region.views.update(views(self.nest, self.node))
        self.guards += self._rank_guards(region)
        self.guards += reading.plain.guards
        self.guards += [f"{text} > 0" for text in region.symbols.positive]
        self.seen = Relations(region, known)
        return region, self.seen

    def _parallel(self) -> LoopPlan:
        """The plan of a loop whose iterations may run in any order."""
        reading = self._read()
        write_sums(reading.loop, exposed(reading.loop.body) & stored(reading.loop.body))
        region, relations = self._touched(reading)
        chain, atomics, snapshots = self._grid(relations, region, reading.loop)
        gathered = self._accumulations(chain, reading)
        if self.outer and gathered and not self._worth_reading_back(chain, region):
            raise Refused(
                CARRIED,
                self.node,
                f"`{gathered[0].variable}` is needed by the loop around this one in each of its "
                "iterations (carried), and this loop alone goes over no more than one row: a "
                "launch for each row would cost more than the loop",
            )
        self._last_values(chain, reading)
        self.guards += self.beginning.number_guards(
            {a.variable for a in gathered if a.operator in ("+", "*", "min", "max")}
        )
        made = self._made(reading, region, relations, chain)
        return replace(
            made,
            atomics=atomics,
            snapshots=snapshots,
            accumulations=tuple(gathered),
        )

    def _worth_reading_back(self, chain: Chain, region: Region) -> bool:
        """Whether a kernel pays whose numbers a loop around it waits for each time.

        One that goes over whole arrays does: a time step, a sweep until nothing changes. One that
        stands in two loops over elements goes over a part of a row, and does not.
        """
        over = stored([loop.target for loop in self.outer if isinstance(loop, ast.For)])
        indexing = {n for a in region.accesses for n in loaded([a.node.slice])}
        if len(over & indexing) > 1:
            return False
        if len(chain.loops) > 1 or any(access.write for access in region.accesses):
            return True
        return not loaded([chain.loops[0]]) & over

    def _scanned(self) -> LoopPlan | None:
        """The plan of a loop that is tied by a scan alone."""
        reading = self._read()
        loop = reading.loop
        chain = Chain((loop,), (), tuple(loop.body))
        found = find_scan(loop, _carried_names(chain), self.live, self.fresh)
        if found is None:
            return None
        chain = Chain((loop,), (), tuple(loop.body))
        region, relations = self._touched(reading)
        self.guards += found.guards
        together = {a.variable for a in found.accumulations}
        if found.scan.array is None:
            summed = {a.variable for a in found.accumulations if a.operator in "+ * min max"}
            self.guards += self.beginning.number_guards({found.scan.variable} | summed)
        apart = conflicts(relations, region, region.dim_of(loop), 0)
        conditions = [ruled_out(relations, region, one) for one in apart]
        if None in conditions:
            return None
        self.guards += [condition for condition in conditions if condition is not None]
        grid, known = _variables(chain), {name for name, _ in reading.counted}
        outlive = set(self.live) & stored(chain.thread) - grid - known - together
        if outlive - {found.scan.variable}:
            return None
        self._last_values(chain, reading)
        made = self._made(reading, region, relations, chain)
        return replace(made, scan=found.scan, accumulations=found.accumulations)

    def _made(
        self, reading: _Reading, region: Region, relations: Relations, chain: Chain
    ) -> LoopPlan:
        if reading.plain.spread - _variables(chain):
            raise Refused(
                UNSUPPORTED,
                self.node,
                "what the loop does with parts of arrays is more than one thread for each "
                "iteration should do: it is left to array operations",
            )
        layout = lay_out(chain, self.fresh)
        assert layout is not None
        ranges, conditions = self._ranges(relations, region)
        self.guards += conditions
        self._check_guards(reading)
        whole = elementwise(relations, region, chain)
        guards = dict.fromkeys(g for g in self.guards if decided(g) != "True")
        return LoopPlan(
            nest=self.nest,
            outer=self.outer,
            region=self.node,
            grid=layout.axes,
            body=layout.thread,
            prologue=(),
            reads=frozenset(a.array for a in region.accesses if not a.write),
            writes=frozenset(a.array for a in region.accesses if a.write),
            atomics=frozenset(),
            snapshots=frozenset(),
            accumulations=(),
            last_values=tuple((name, decided(text)) for name, text in self.last_values),
            guards=tuple(without_implied(list(guards), relations, self.wholes)),
            elementwise=whole,
            ranges=tuple(ranges),
            ranks=dict(region.ranks),
        )

    def _check_guards(self, reading: _Reading) -> None:
        """Guards are asked before the launch: nothing that the loop binds may stand in them.

        But for the question whether a carried name holds a number, which is about its value then.
        """
        bound = stored([reading.loop])
        for guard in self.guards:
            if guard.startswith("(isinstance("):
                continue
            if loaded([ast.parse(guard)]) & bound:
                raise Refused(UNSUPPORTED, self.node, f"it would need `{guard}` inside the loop")

    def _rank_guards(self, region: Region) -> list[str]:
        made = []
        for array, rank in region.ranks.items():
            fact = self.nest.facts.get(array)
            if not isinstance(fact, ArrayFact) or fact.rank is None:
                made.append(f"{array}.ndim == {rank}")
        return made

    def _grid(
        self, relations: Relations, region: Region, loop: ast.For
    ) -> tuple[Chain, frozenset[str], frozenset[str]]:
        """The loops that run at once, and what that takes."""
        written = {a.array for a in region.accesses if a.write}
        candidates = chains(loop, written)
        first = candidates[0]
        found = conflicts(relations, region, region.dim_of(loop), 0)
        settled = settle(relations, region, found)
        self.guards += settled.guards
        atomics, snapshots = settled.atomics, settled.snapshots
        if any(c.first.array in atomics and not c.scattered for c in found):
            self._prefer_inner(found)
        best = first
        tied = _carried_names(first)
        needed: list[str] = []
        for chain in candidates[1:]:
            inner = chain.loops[-1]
            depth = len(chain.loops) - 1
            if _carried_names(chain) - tied or not self._may_extend(chain, region, bool(tied)):
                break
            more = conflicts(relations, region, region.dim_of(inner), depth)
            if any(c.first.array not in atomics for c in more):
                break
            if needed or self._may_raise(chain.leading[len(best.leading) :], relations, region):
                # Threads of the inner loop do it: without any, it would not be done at all.
                if _variables(chain) & loaded([inner.iter]):
                    break
                needed.append(nonempty(inner))
            best = chain
        self.guards += needed
        return best, atomics, snapshots

    def _may_raise(
        self, statements: Sequence[ast.stmt], relations: Relations, region: Region
    ) -> bool:
        """Whether an index in statements between two heads may be outside of its array."""
        nodes = {id(node) for s in statements for node in ast.walk(s) if is_element(node)}
        if not nodes:
            return False
        ranges, _ = self._ranges(relations, region)
        return any(id(one.node) in nodes and not one.proven for one in ranges)

    def _ranges(
        self, relations: Relations, region: Region
    ) -> tuple[list[SubscriptRange], list[str]]:
        """What is known of the region's indices, asked once."""
        if self.ranges is None or self.ranges[0] is not region:
            self.ranges = region, index_ranges(relations, region)
        return self.ranges[1]

    def _prefer_inner(self, found: Sequence[Conflict]) -> None:
        """Leave a loop in Python that adds to the same cells each time, if those inside need not.

        Additions in the loop's own order are exact; atomic ones come in any order.
        """
        for inner in inner_loops(self.node):
            nest = replace(self.nest, node=inner, live_after=live_after(self.nest.function, inner))
            try:
                made = Planner(nest, inner, (*self.outer, self.node)).plan()
            except Refused:
                continue
            if not made.atomics and made.writes:
                conflict = next(c for c in found if not c.scattered)
                raise Refused(
                    CARRIED,
                    conflict.first.node,
                    f"every iteration of `{conflict.dim.variable}` adds to the same elements "
                    f"`{ast.unparse(conflict.first.node)}` (carried); the loops inside it are "
                    "parallel",
                )

    def _may_extend(self, chain: Chain, region: Region, tied: bool) -> bool:
        """Whether one loop more may join the grid.

        Partial sums take one cell a thread: not more than an array that the threads read anyway.
        """
        names = [loop.target.id for loop in chain.loops if isinstance(loop.target, ast.Name)]
        plain = lay_out(chain, self.fresh.trial())
        if plain is None or names[-1] in self.live:
            return False
        if not tied:
            return True
        grid = {region.dim_of(loop).name for loop in chain.loops}
        return any(
            grid <= {index.text for index in access.indices if index is not None}
            for access in region.accesses
        )

    def _accumulations(self, chain: Chain, reading: _Reading) -> list[Accumulation]:
        bound = stored(chain.thread)
        names = exposed(chain.thread) & bound
        known = {name for name, _ in reading.counted}
        outlive = (set(self.live) & bound) - _variables(chain) - known
        if reading.plain.counter is not None:
            outlive.discard(reading.plain.counter.variable)
        last: set[str] = set()
        if len(chain.loops) == 1 and not self.outer:
            last = (outlive - names) & surely_assigned(chain.thread)
        return accumulations(chain.thread, names, outlive - last) + kept(chain.thread, last)

    def _last_values(self, chain: Chain, reading: _Reading) -> None:
        for name, final in reading.counted:
            if name in self.live:
                self.last_values.append((name, final))
        counter = reading.plain.counter
        if counter is not None and counter.variable in self.live:
            self.last_values.append((counter.variable, counter.final))
            return
        outliving = _variables(chain) & self.live
        joint = reading.plain.joint
        if joint & self.live and not joint <= _variables(chain):
            raise outlives([reading.loop], min(joint & self.live))
        for one in chain.loops:
            assert isinstance(one.target, ast.Name)
            name = one.target.id
            if name in outliving:
                self.last_values.append((name, f"{range_text(one.iter)}[-1]"))
        for one in chain.loops:
            assert isinstance(one.target, ast.Name)
            if one.target.id in outliving | (joint if joint & self.live else set()):
                self.guards.append(nonempty(one))


def _with_bound_names(nest: LoopNest) -> dict[str, Fact]:
    """The facts, and that names which the function binds are not the builtins of that name."""
    bound = bound_names(nest.function)
    return dict.fromkeys(bound, UnknownFact()) | dict(nest.facts)


def _variables(chain: Chain) -> set[str]:
    return {loop.target.id for loop in chain.loops if isinstance(loop.target, ast.Name)}


def _carried_names(chain: Chain) -> set[str]:
    """Names that an iteration of the chain may read before it has set them."""
    return exposed(chain.thread) & stored(chain.thread)
