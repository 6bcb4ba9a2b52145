"""Plans one region: a loop with everything in it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpuport.source.syntax import copied

from .accesses import Region
from .beginnings import Beginning
from .carried import Accumulation
from .closures import closure_step
from .collected import collected
from .counting import nonempty
from .definitions import equal_extents, outer_ranges, views
from .dependence import conflicts
from .empty_parts import filled_where_checked
from .facts import ArrayFact, Fact, LoopNest, ScalarFact, UnknownFact
from .grid import Chain, lay_out
from .grid_choice import GridChoice, carried_names, variables
from .guards import contradictory, without_implied
from .indices import elementwise, index_ranges
from .interchange import inside_out
from .kernel_snapshots import check_snapshots
from .latest import asked_by_itself
from .latest import find as find_latest
from .names import Fresh, bound_names, decided, dotted, loaded, named, range_text, stored, walk
from .packed_places import in_own_names
from .patterns import accumulations, kept, outlives, write_sums
from .plain_regions import Reading, early, read_region
from .reading import Reader
from .reasons import CARRIED, UNSUPPORTED, Refused
from .records import LoopPlan, Packed, SubscriptRange
from .relations import Relations, budget
from .remedies import ruled_out
from .scalars import exposed, inner_loops, live_after, surely_assigned
from .scans import find as find_scan
from .tallies import find as find_tallies
from .tally_places import Place, apart, counted, packed
from .wholes import Wholes
from .workspaces import Widened, widened

Loop = ast.For | ast.While


class Planner:
    """Plans one region: a loop with everything in it.

    Parameters
    ----------
    nest : LoopNest
    node : ast.For or ast.While
        The nest's loop, or one inside it.
    outer : tuple of ast.For or ast.While
        The loops around ``node`` that stay in Python.
    widened : Widened, optional
        The loop to plan in the place of ``node``, whose iterations have workspaces.
    """

    def __init__(
        self,
        nest: LoopNest,
        node: Loop,
        outer: tuple[Loop, ...],
        widened: Widened | None = None,
    ) -> None:
        self.widened = widened
        self.nest = nest
        self.node = node
        self.outer = outer
        self.given_live = nest.live_after if node is nest.node else live_after(nest.function, node)
        self.live = self.given_live
        """Names that something reads after the loop, and those of which the loop makes these."""
        self.packed: tuple[Packed, ...] = ()
        self.reading: Reading | None = None
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
                listed = None if self.widened is not None else self._collecting()
                return listed or self._parallel()
            except Refused as refused:
                refused = in_own_names(refused, self.packed)
                found = self._with_workspaces()
                if found is None and refused.code == CARRIED:
                    found = self._interchanged() or self._tied()
                if found is None:
                    refused.message += asked_by_itself(self.node, refused.message)
                    raise refused from None
                return found

    def _read(self) -> Reading:
        self.guards, self.last_values = [], []
        if self.reading is None:
            node = self.node if self.widened is None else self.widened.loop
            found = read_region(node, self.beginning, self.facts, self.fresh, self.given_live)
            self.live, self.packed = found.live, found.plain.packed
            self.reading = found
        # Each attempt rewrites the loop in its own way.
        return replace(self.reading, loop=copied(self.reading.loop))

    def _with_workspaces(self) -> LoopPlan | None:
        """The plan of a loop whose iterations make arrays to work in."""
        found = None if self.widened is not None else widened(self.nest, self.node)
        if found is None:
            return None
        planner = Planner(found.nest, self.node, self.outer, found)
        try:
            made = planner._parallel()
        except Refused as refused:
            raise found.in_own_names(refused) from refused
        self.seen = planner.seen
        return found.finished(made)

    def _collecting(self) -> LoopPlan | None:
        """The plan of a loop that fills lists of which arrays are made."""
        found = collected(self.nest, self.node)
        if found is None:
            return None
        planner = Planner(found.nest, self.node, self.outer, found)
        try:
            made = planner.plan()
        except Refused as refused:
            raise found.in_own_names(refused) from refused
        self.seen = planner.seen
        return found.finished(made)

    def _touched(self, reading: Reading) -> tuple[Region, Relations]:
        reader = Reader(reading.loop, self.facts, reading.integers)
        known = equal_extents(self.nest, self.node, reader.wholes)
        known += self.widened.equal_extents(reader.wholes) if self.widened is not None else []
        reader.wholes.symbols.constraints += outer_ranges(self.outer, reader.wholes)
        region = reader.read()
        self.wholes = reader.wholes
        region.views.update(views(self.nest, self.node))
        self.guards += self._rank_guards(region.ranks)
        self.guards += reading.plain.guards
        self.guards += [f"{text} > 0" for text in region.symbols.positive]
        self.seen = Relations(region, known)
        return region, self.seen

    def _interchanged(self) -> LoopPlan | None:
        """The plan of a loop whose iterations are tied, but not those of the loops inside it."""
        reading = self._read()
        if reading.hit or reading.counted or reading.plain.counter or reading.plain.joint:
            return None
        known = self.guards
        for turned, outwards in inside_out(reading.loop, self.live):
            self.guards, self.last_values = list(known), []
            try:
                made = self._parallel(replace(reading, loop=turned))
            except Refused:
                continue
            # Of old values, and of who adds when, the other order would know something else, and
            # so would a thread that goes through one of the loops that were inside by itself.
            if made.snapshots or made.atomics or made.accumulations:
                continue
            if outwards <= {axis.variable for axis in made.grid}:
                return made
        return None

    def _parallel(self, reading: Reading | None = None) -> LoopPlan:
        """The plan of a loop whose iterations may run in any order."""
        reading = reading or self._read()
        write_sums(reading.loop, exposed(reading.loop.body) & stored(reading.loop.body))
        region, relations = self._touched(reading)
        closure = closure_step(reading.loop, self.facts)
        choice = GridChoice(self._ranges, self._inner_plans, self.fresh, self.live, closure).choose(
            relations, region, reading.loop
        )
        chain = choice.chain
        self.guards += choice.guards
        gathered = self._accumulations(chain, reading)
        if self.outer and gathered and not self._worth_reading_back(chain, region):
            if reading.hit is not None:
                raise early(self.node, reading.plain.returned)
            raise Refused(
                CARRIED,
                self.node,
                f"`{gathered[0].variable}` is needed by the loop around this one in each of its "
                "iterations (carried), and this loop alone goes over no more than one row: a "
                "launch for each row would cost more than the loop",
            )
        self._check_packed(gathered)
        self._last_values(chain, reading)
        self.guards += self.beginning.number_guards(
            {a.variable for a in gathered if a.operator in ("+", "*", "min", "max")}
            - {one.name for one in reading.begun}
            - ({reading.hit.variable} if reading.hit is not None else set())
        )
        made = self._made(reading, region, relations, chain)
        return replace(
            made,
            atomics=choice.atomics,
            snapshots=choice.snapshots,
            accumulations=tuple(gathered),
        )

    def _worth_reading_back(self, chain: Chain, region: Region) -> bool:
        """Whether a kernel pays whose numbers a loop around it waits for each time.

        One that goes over whole arrays does: a time step, a sweep until nothing changes. One that
        stands in two loops over elements goes over a part of a row, and does not.
        """
        over = stored([loop.target for loop in self.outer if isinstance(loop, ast.For)])
        subscripts = (n for n in walk(self.outer[:1]) if isinstance(n, ast.Subscript))
        if len(over & loaded([n.slice for n in subscripts])) > 1:
            return False
        if len(chain.loops) > 1 or any(access.write for access in region.accesses):
            return True
        return not loaded([chain.loops[0]]) & over

    def _tied(self) -> LoopPlan | None:
        """The plan of a loop whose iterations are tied by running sums or extremes alone."""
        if self.outer and self.node is not self.nest.node:
            return None  # what the facts say of its numbers is so before the outermost loop alone
        return self._scanned() or self._tallied() or self._set_by_some()

    def _pays(self, chain: Chain, region: Region) -> bool:
        return not self.outer or self._worth_reading_back(chain, region)

    def _tallied(self) -> LoopPlan | None:
        """The plan of a loop that is tied by numbers it adds to alone."""
        reading = self._read()
        if reading.hit is not None or reading.begun or reading.first or self.packed:
            return None
        loop = reading.loop
        chain = Chain((loop,), (), tuple(loop.body))
        known = {name for name, _ in reading.counted} | variables(chain)
        found = find_tallies(loop, carried_names(chain) - known, self.live - known)
        if found is None:
            return None
        tallies, together, some = found
        chain = Chain((loop,), (), tuple(loop.body))
        region, relations = self._touched(reading)
        if not self._pays(chain, region):
            return None
        written = {region.root(access.array) for access in region.accesses if access.write}
        read = {dotted(n.value) for n in walk(tallies.body) if isinstance(n, ast.Subscript)}
        separate = apart(loop, tallies.variables, self.beginning.text)
        old = frozenset(packed(loop, separate))
        written -= {array for array in old if not region.shared(array)}
        if written & {region.root(array) for array in read if array is not None}:
            return None
        check_snapshots(old, loop.body)
        self.guards.append(some)
        summed = {a.variable for a in together if a.operator in "+ * min max"}
        self.guards += self.beginning.number_guards(summed | set(tallies.variables))
        tied = [
            one
            for one in conflicts(relations, region, region.dim_of(loop), 0)
            if not (one.first.array == one.second.array and one.first.node in separate)
        ]
        conditions = [ruled_out(relations, region, one) for one in tied]
        if None in conditions:
            return None
        self.guards += [condition for condition in conditions if condition is not None]
        self._last_values(chain, reading)
        self._within(relations, region, loop, separate)
        made = self._made(reading, region, relations, chain)
        return replace(made, tallies=tallies, accumulations=together, snapshots=old)

    def _within(
        self,
        relations: Relations,
        region: Region,
        loop: ast.For,
        places: Mapping[ast.Subscript, Place],
    ) -> None:
        """Where no count can leave its array, as its iterations are too few, know that."""
        known = counted(region, self.wholes, loop, places, self.beginning.text)
        plain = self._ranges(relations, region)[1]
        ranges, guards = index_ranges(relations, known)
        if not set(without_implied(guards, relations, self.wholes)) - set(plain):
            self.ranges = region, (ranges, plain)

    def _scanned(self) -> LoopPlan | None:
        """The plan of a loop that is tied by a scan alone."""
        reading = self._read()
        if reading.hit is not None or reading.begun or reading.first or self.packed:
            return None
        loop = reading.loop
        chain = Chain((loop,), (), tuple(loop.body))
        found = find_scan(loop, carried_names(chain), self.live, self.fresh)
        if found is None:
            return None
        chain = Chain((loop,), (), tuple(loop.body))
        region, relations = self._touched(reading)
        if not self._pays(chain, region):
            return None
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
        grid, known = variables(chain), {name for name, _ in reading.counted}
        outlive = set(self.live) & stored(chain.thread) - grid - known - together
        if outlive - {found.scan.variable}:
            return None
        self._last_values(chain, reading)
        made = self._made(reading, region, relations, chain)
        return replace(made, scan=found.scan, accumulations=found.accumulations)

    def _set_by_some(self) -> LoopPlan | None:
        """The plan of a loop that is tied by numbers that only some iterations set."""
        reading = self._read()
        if reading.hit is not None or reading.begun or reading.first or self.packed:
            return None
        loop = reading.loop
        chain = Chain((loop,), (), tuple(loop.body))
        known = {name for name, _ in reading.counted} | variables(chain)
        found = find_latest(loop, carried_names(chain) - known, self.live - known)
        if found is None:
            return None
        latest, together, some = found
        chain = Chain((loop,), (), tuple(loop.body))
        region, relations = self._touched(reading)
        if not self._pays(chain, region):
            return None
        self.guards.append(some)
        self.guards += self.beginning.number_guards(
            {a.variable for a in together if a.operator in "+ * min max"}
        )
        tied = conflicts(relations, region, region.dim_of(loop), 0)
        conditions = [ruled_out(relations, region, one) for one in tied]
        if None in conditions:
            return None
        self.guards += [condition for condition in conditions if condition is not None]
        made_of = {a.variable for a in together} | {one.variable for one in latest}
        if set(self.live) & stored(chain.thread) - variables(chain) - known - made_of:
            return None
        self._last_values(chain, reading)
        made = self._made(reading, region, relations, chain)
        return replace(made, latest=latest, accumulations=together)

    def _made(
        self, reading: Reading, region: Region, relations: Relations, chain: Chain
    ) -> LoopPlan:
        if reading.plain.spread - variables(chain):
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
        self.guards += filled_where_checked(reading.loop, reading.plain.unfilled, ranges)
        at_hit = dict(() if reading.hit is None else reading.hit.reads)
        self.guards += self._rank_guards(at_hit)
        self._check_guards(reading)
        whole = elementwise(relations, region, chain)
        guards = dict.fromkeys(g for g in self.guards if decided(g) != "True")
        kept = without_implied(list(guards), relations, self.wholes)
        if contradictory([*kept, nonempty(chain.loops[0])], relations, self.wholes):
            raise Refused(
                UNSUPPORTED,
                self.node,
                "its elements are within their arrays, and its iterations apart, only where "
                f"`{' and '.join(kept)}`: where the loop runs at all, that is never so",
            )
        nest = self.nest
        if reading.hit is not None:
            type_ = "bool" if reading.hit.flag else "int"
            known: dict[str, Fact] = {reading.hit.variable: ScalarFact(type_)}
            nest = replace(nest, facts={**nest.facts, **known})
        return LoopPlan(
            nest=nest,
            hit=reading.hit,
            outer=self.outer,
            region=self.node,
            grid=layout.axes,
            body=layout.thread,
            prologue=(),
            reads=frozenset(a.array for a in region.accesses if not a.write) | set(at_hit),
            writes=frozenset(a.array for a in region.accesses if a.write),
            atomics=frozenset(),
            snapshots=frozenset(),
            accumulations=(),
            last_values=tuple((name, decided(text)) for name, text in self.last_values),
            guards=tuple(
                dict.fromkeys(
                    (*kept, *reading.first, *(g for b in reading.begun for g in b.guards))
                )
            ),
            begins=tuple((one.name, one.value) for one in reading.begun),
            packed=reading.plain.packed,
            elementwise=whole,
            ranges=tuple(ranges),
            ranks=dict(region.ranks),
        )

    def _check_packed(self, gathered: list[Accumulation]) -> None:
        """Refuse tuples of which it does not show, item by item, whether the loop set them."""
        known = {a.variable for a in gathered if a.operator in ("argmin", "argmax", "latest")}
        for one in self.packed:
            if not known.issuperset(one.parts):
                message = f"`{one.name}` is set to a tuple or list, and so is not a number"
                raise Refused(UNSUPPORTED, self.node, message)

    def _check_guards(self, reading: Reading) -> None:
        """Guards are asked before the launch: nothing that the loop binds may stand in them.

        But for the question whether a carried name holds a number, which is about its value then.
        """
        bound = stored([reading.loop])
        for guard in self.guards:
            if guard.startswith("(isinstance("):
                continue
            if loaded([ast.parse(guard)]) & bound:
                raise Refused(UNSUPPORTED, self.node, f"it would need `{guard}` inside the loop")

    def _rank_guards(self, ranks: Mapping[str, int]) -> list[str]:
        made = []
        for array, rank in ranks.items():
            fact = self.nest.facts.get(array)
            if not isinstance(fact, ArrayFact) or fact.rank is None:
                made.append(f"{array}.ndim == {rank}")
        return made

    def _ranges(
        self, relations: Relations, region: Region
    ) -> tuple[list[SubscriptRange], list[str]]:
        """What is known of the region's indices, asked once."""
        if self.ranges is None or self.ranges[0] is not region:
            self.ranges = region, index_ranges(relations, region)
        return self.ranges[1]

    def _inner_plans(self) -> Iterator[LoopPlan]:
        """Plans of the loops inside the region, each by itself."""
        for inner in inner_loops(self.node):
            nest = replace(self.nest, node=inner, live_after=live_after(self.nest.function, inner))
            with contextlib.suppress(Refused):
                yield Planner(nest, inner, (*self.outer, self.node)).plan()

    def _accumulations(self, chain: Chain, reading: Reading) -> list[Accumulation]:
        bound = stored(chain.thread)
        names = exposed(chain.thread) & bound
        known = {name for name, _ in reading.counted}
        outlive = (set(self.live) & bound) - variables(chain) - known
        if reading.plain.counter is not None:
            outlive.discard(reading.plain.counter.variable)
        if reading.hit is not None:
            outlive |= {reading.hit.variable} & bound
        last: set[str] = set()
        if len(chain.loops) == 1 and not self.outer:
            last = (outlive - names) & surely_assigned(chain.thread)
        return accumulations(chain.thread, names, outlive - last) + kept(chain.thread, last)

    def _last_values(self, chain: Chain, reading: Reading) -> None:
        for name, final in reading.counted:
            if name in self.live:
                self.last_values.append((name, final))
        counter = reading.plain.counter
        if counter is not None and counter.variable in self.live:
            self.last_values.append((counter.variable, counter.final))
            return
        outliving = variables(chain) & self.live
        joint = reading.plain.joint
        if joint & self.live and not joint <= variables(chain):
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
