"""One reading of a region, and what has to hold for it to run on the device."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuport.loops.carried import Accumulation
from gpuport.loops.context.beginnings import Beginning
from gpuport.loops.context.definitions import equal_extents, outer_ranges, views
from gpuport.loops.context.scalars import exposed, surely_assigned
from gpuport.loops.dependence.grid import Chain, lay_out
from gpuport.loops.dependence.grid_choice import variables
from gpuport.loops.dependence.indices import elementwise, index_ranges
from gpuport.loops.dependence.reading import Reader
from gpuport.loops.facts import ArrayFact, Fact, FunctionFact, LoopNest, ScalarFact
from gpuport.loops.forms.regions import Reading
from gpuport.loops.heads.counting import nonempty
from gpuport.loops.names import Fresh, decided, loaded, range_text, stored, walk
from gpuport.loops.parts.empty_parts import filled_where_checked
from gpuport.loops.private.workspaces import Widened
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import LoopPlan, SubscriptRange
from gpuport.loops.sets.accesses import Region
from gpuport.loops.sets.guards import contradictory, without_implied
from gpuport.loops.sets.relations import Relations
from gpuport.loops.sets.wholes import Wholes
from gpuport.loops.ties.patterns import accumulations, kept, outlives
from gpuport.loops.ties.tally_places import Place, counted
from gpuport.parallel.conditions import conjuncts

Loop = ast.For | ast.While
Ranges = tuple[list[SubscriptRange], list[str]]


@dataclass(frozen=True)
class Task:
    """A region that is to be planned.

    Attributes
    ----------
    nest : LoopNest
    node : ast.For or ast.While
        The nest's loop, or one inside it.
    outer : tuple of ast.For or ast.While
        The loops around ``node`` that stay in Python.
    facts : mapping of str to Fact
        Those of the nest, and that names which the function binds are not builtins.
    fresh : Fresh
    beginning : Beginning
    widened : Widened or None
        The loop to plan in the place of ``node``, whose iterations have workspaces.
    """

    nest: LoopNest
    node: Loop
    outer: tuple[Loop, ...]
    facts: Mapping[str, Fact]
    fresh: Fresh
    beginning: Beginning
    widened: Widened | None = None


class Attempt:
    """A way to run a region on the device, as far as it has been thought through.

    Parameters
    ----------
    task : Task
    reading : Reading
        Its loop may be rewritten by the attempt.

    Attributes
    ----------
    region : Region
        What the loop reads and writes; this and the next two once `touch` has found it out.
    relations : Relations
        Of its accesses.
    wholes : Wholes
        Of its whole numbers.
    guards : list of str
        What has been found so far to be asked before the launch.
    last_values : list of (str, str)
        What has to be bound after it.
    """

    region: Region
    relations: Relations
    wholes: Wholes

    def __init__(self, task: Task, reading: Reading) -> None:
        self.task = task
        self.reading = reading
        self.loop = reading.loop
        self.live = reading.live
        self.guards: list[str] = []
        self.last_values: list[tuple[str, str]] = []
        self._known: tuple[Region, Ranges] | None = None

    @property
    def counted(self) -> set[str]:
        """Counters, whose values each iteration knows from its number."""
        return {name for name, _ in self.reading.counted}

    def whole_loop(self) -> Chain:
        """The loop as it stands, with nothing inside of it on the grid."""
        return Chain((self.loop,), (), tuple(self.loop.body))

    def touch(self) -> None:
        """Find out what the loop reads and writes, and where."""
        task, plain = self.task, self.reading.plain
        reader = Reader(self.loop, task.facts, self.reading.integers)
        known = equal_extents(task.nest, task.node, reader.wholes)
        if task.widened is not None:
            known += task.widened.equal_extents(reader.wholes)
        reader.wholes.symbols.constraints += outer_ranges(task.outer, reader.wholes)
        region = reader.read()
        self.wholes = reader.wholes
        region.views.update(views(task.nest, task.node))
        self.guards += self._rank_guards(region.ranks)
        self.guards += plain.guards
        self.guards += [f"{text} > 0" for text in region.symbols.positive]
        self.region, self.relations = region, Relations(region, known)

    def ranges(self, relations: Relations, region: Region) -> Ranges:
        """What is known of the region's indices, asked once."""
        if self._known is None or self._known[0] is not region:
            self._known = region, index_ranges(relations, region)
        return self._known[1]

    def count_within(self, places: Mapping[ast.Subscript, Place]) -> None:
        """Where no count can leave its array, as its iterations are too few, know that."""
        known = counted(self.region, self.wholes, self.loop, places, self.task.beginning.text)
        plain = self.ranges(self.relations, self.region)[1]
        ranges, guards = index_ranges(self.relations, known)
        if not set(without_implied(guards, self.relations, self.wholes)) - set(plain):
            self._known = self.region, (ranges, plain)

    def pays(self, chain: Chain) -> bool:
        """Whether a kernel pays whose numbers a loop around it waits for each time.

        One that goes over whole arrays does: a time step, a sweep until nothing changes. One that
        stands in two loops over elements goes over a part of a row, and does not.
        """
        outer = self.task.outer
        if not outer:
            return True
        over = stored([loop.target for loop in outer if isinstance(loop, ast.For)])
        subscripts = (n for n in walk(outer[:1]) if isinstance(n, ast.Subscript))
        if len(over & loaded([n.slice for n in subscripts])) > 1:
            return False
        if len(chain.loops) > 1 or any(access.write for access in self.region.accesses):
            return True
        return not loaded([chain.loops[0]]) & over

    def accumulated(self, chain: Chain) -> list[Accumulation]:
        """What the threads of a chain make together.

        Raises
        ------
        Refused
            Where they make something of each other's numbers in another way.
        """
        bound = stored(chain.thread)
        names = exposed(chain.thread) & bound
        outlive = (set(self.live) & bound) - variables(chain) - self.counted
        if self.reading.plain.counter is not None:
            outlive.discard(self.reading.plain.counter.variable)
        if self.reading.hit is not None:
            outlive |= {self.reading.hit.variable} & bound
        last: set[str] = set()
        if len(chain.loops) == 1 and not self.task.outer:
            last = (outlive - names) & surely_assigned(chain.thread)
        return accumulations(chain.thread, names, outlive - last) + kept(chain.thread, last)

    def bind_last(self, chain: Chain) -> None:
        """Bind after the launch what the loop would have left in its own variables.

        Raises
        ------
        Refused
        """
        for name, final in self.reading.counted:
            if name in self.live:
                self.last_values.append((name, final))
        counter = self.reading.plain.counter
        if counter is not None and counter.variable in self.live:
            self.last_values.append((counter.variable, counter.final))
            return
        outliving = variables(chain) & self.live
        joint = self.reading.plain.joint
        if joint & self.live and not joint <= variables(chain):
            raise outlives([self.loop], min(joint & self.live))
        for one in chain.loops:
            assert isinstance(one.target, ast.Name)
            name = one.target.id
            if name in outliving:
                self.last_values.append((name, f"{range_text(one.iter)}[-1]"))
        for one in chain.loops:
            assert isinstance(one.target, ast.Name)
            if one.target.id in outliving | (joint if joint & self.live else set()):
                self.guards.append(nonempty(one))

    def made(self, chain: Chain) -> LoopPlan:
        """The plan, but for what ties the iterations together.

        Raises
        ------
        Refused
        """
        reading, region = self.reading, self.region
        if reading.plain.spread - variables(chain) and not self._goes_over_elements():
            raise Refused(
                UNSUPPORTED,
                self.task.node,
                "what the loop does with parts of arrays is more than one thread for each "
                "iteration should do: it is left to array operations",
            )
        layout = lay_out(chain, self.task.fresh)
        assert layout is not None
        ranges, conditions = self.ranges(self.relations, region)
        at_hit = dict(() if reading.hit is None else reading.hit.reads)
        self.guards += conditions
        self.guards += filled_where_checked(reading.loop, reading.plain.unfilled, ranges)
        self.guards += self._rank_guards(at_hit)
        asked = (*self._asked(chain), *reading.first, *(g for b in reading.begun for g in b.guards))
        return LoopPlan(
            nest=self._nest(),
            hit=reading.hit,
            outer=self.task.outer,
            region=self.task.node,
            grid=layout.axes,
            body=layout.thread,
            reads=frozenset(a.array for a in region.accesses if not a.write) | set(at_hit),
            writes=frozenset(a.array for a in region.accesses if a.write),
            atomics=frozenset(),
            snapshots=frozenset(),
            accumulations=(),
            last_values=tuple((name, decided(text)) for name, text in self.last_values),
            guards=tuple(dict.fromkeys(asked)),
            begins=tuple((one.name, one.value) for one in reading.begun),
            packed=reading.plain.packed,
            elementwise=elementwise(self.relations, region, chain),
            ranges=tuple(ranges),
            ranks=dict(region.ranks),
            places=frozenset(self.task.fresh.places),
            bounds=frozenset(part for text in conditions for part in conjuncts(text)),
        )

    def _goes_over_elements(self) -> bool:
        """Whether loops that the user wrote inside go through elements one after the other.

        Array operations could not do that: the loops would, in Python.
        """
        within, seen = list(walk(self.task.node.body)), set[str]()
        for node in within:
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            fact = None if name in seen else self.task.facts.get(name)
            if isinstance(fact, FunctionFact) and fact.definition is not None:
                seen.add(name)
                within += walk(fact.definition.body)
        for loop in within:
            if isinstance(loop, ast.For) and not _is_short(loop.iter):
                subscripts = (n.slice for n in walk(loop.body) if isinstance(n, ast.Subscript))
                if stored([loop.target]) & loaded(subscripts):
                    return True
        return False

    def _asked(self, chain: Chain) -> list[str]:
        """The guards that are left, none of which another one implies."""
        self._check_guards()
        guards = dict.fromkeys(g for g in self.guards if decided(g) != "True")
        left = without_implied(list(guards), self.relations, self.wholes)
        if contradictory([*left, nonempty(chain.loops[0])], self.relations, self.wholes):
            raise Refused(
                UNSUPPORTED,
                self.task.node,
                "its elements are within their arrays, and its iterations apart, only where "
                f"`{' and '.join(left)}`: where the loop runs at all, that is never so",
            )
        return left

    def _nest(self) -> LoopNest:
        """The nest, with what is known of the name that a hit sets."""
        nest, hit = self.task.nest, self.reading.hit
        if hit is None:
            return nest
        known: dict[str, Fact] = {hit.variable: ScalarFact("bool" if hit.flag else "int")}
        return replace(nest, facts={**nest.facts, **known})

    def _check_guards(self) -> None:
        """Guards are asked before the launch: nothing that the loop binds may stand in them.

        But for the question whether a carried name holds a number, which is about its value then.
        """
        bound = stored([self.loop])
        for guard in self.guards:
            if guard.startswith("(isinstance("):
                continue
            if loaded([ast.parse(guard)]) & bound:
                message = f"it would need `{guard}` inside the loop"
                raise Refused(UNSUPPORTED, self.task.node, message)

    def _rank_guards(self, ranks: Mapping[str, int]) -> list[str]:
        made = []
        for array, rank in ranks.items():
            fact = self.task.nest.facts.get(array)
            if not isinstance(fact, ArrayFact) or fact.rank is None:
                made.append(f"{array}.ndim == {rank}")
        return made


def _is_short(iterated: ast.expr) -> bool:
    """Whether a range is written out in numbers."""
    return isinstance(iterated, ast.Call) and all(
        isinstance(one, ast.Constant) for one in iterated.args
    )
