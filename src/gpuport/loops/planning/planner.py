"""Plans one region: a loop with everything in it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec

from gpuport.loops.carried import Accumulation
from gpuport.loops.context.beginnings import Beginning
from gpuport.loops.context.scalars import exposed, live_after, outermost_loops
from gpuport.loops.dependence.closures import closure_step
from gpuport.loops.dependence.grid import Chain
from gpuport.loops.dependence.grid_choice import GridChoice
from gpuport.loops.dependence.interchange import inside_out
from gpuport.loops.dependence.telling import INDIRECT
from gpuport.loops.facts import Fact, LoopNest, UnknownFact
from gpuport.loops.forms.inlined_bodies import bodies_written_in
from gpuport.loops.forms.regions import Reading, early, read_region
from gpuport.loops.heads.named_ranges import over_named_range, rows_in_own_names
from gpuport.loops.kernels.collected import collected
from gpuport.loops.names import Fresh, bound_names, named, stored
from gpuport.loops.planning.attempt import Attempt, Task
from gpuport.loops.planning.tied import TIES, untied
from gpuport.loops.private.across import across
from gpuport.loops.private.workspaces import Widened, widened
from gpuport.loops.reasons import CARRIED, NOT_INSTALLED, UNSUPPORTED, Refused
from gpuport.loops.records import LoopPlan, Refusal
from gpuport.loops.sets.budgets import budget
from gpuport.loops.sets.relations import Relations
from gpuport.loops.ties.latest import asked_by_itself
from gpuport.loops.ties.packed_places import in_own_names
from gpuport.loops.ties.patterns import write_sums
from gpuport.source.calledtexts import where_called
from gpuport.source.syntax import copied


def plans(
    nest: LoopNest, node: Loop | None = None, outer: tuple[Loop, ...] = ()
) -> list[LoopPlan | Refusal]:
    """The plan of a nest; or why there is none, and then the same of each loop inside of it."""
    node = node or nest.node
    found = _plan(nest, node, outer)
    inner = outermost_loops(node) if isinstance(found, Refusal) else []
    return [found, *(one for loop in inner for one in plans(nest, loop, (*outer, node)))]


def region_plan(nest: LoopNest, outer: tuple[Loop, ...] = ()) -> LoopPlan | Refusal:
    """The plan of the nest's own loop as one kernel; loops inside it are not tried alone.

    Parameters
    ----------
    nest : LoopNest
    outer : tuple of ast.For or ast.While
        The loops around it, which stay in Python.
    """
    return _plan(nest, nest.node, outer)


def _plan(nest: LoopNest, node: Loop, outer: tuple[Loop, ...]) -> LoopPlan | Refusal:
    missing = _without_isl(nest)
    if missing is not None:
        return missing
    try:
        return Planner(nest, node, outer).plan()
    except Refused as refused:
        refused.message = where_called(refused.message, node, nest.facts)
        return refused.refusal()


def _without_isl(nest: LoopNest) -> Refusal | None:
    if find_spec("islpy") is not None:
        return None
    return Refusal(
        NOT_INSTALLED,
        "loops are analysed with islpy, which is not installed: `pip install islpy`",
        nest.node.lineno,
    )


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
        facts, fresh = _with_bound_names(nest), Fresh(named(nest.function))
        if widened is not None:  # functions that are written out in it bring names of their own
            fresh = Fresh(named(nest.function) | named(widened.loop))
            fresh.places |= widened.places
        self.nest = nest
        self.node = node
        self.outer = outer
        self.task = Task(nest, node, outer, facts, fresh, Beginning(nest, node), widened)
        self.reading: Reading | None = None
        self.seen: Relations | None = None
        """What the last attempt found the loop to touch, for those who explain the result."""

    def plan(self) -> LoopPlan:
        """The plan.

        Raises
        ------
        Refused
        """
        with budget(self.node):
            try:
                listed = None if self.task.widened is not None else self._collecting()
                made = listed or self._parallel(self._attempt())
                kept = made.writes or made.accumulations or made.last_values or made.hit
                return made if kept else self._across() or made  # `row += 1` may be of an array
            except Refused as refused:
                if self.reading is not None:
                    plain = self.reading.plain
                    refused = in_own_names(refused, plain.packed)
                    refused = rows_in_own_names(refused, plain.rows, self.node)
                found = self._otherwise(refused)
                if found is None and refused.message.startswith(INDIRECT):
                    refused = self._over_named_range() or refused
                if found is None:
                    refused.message += asked_by_itself(self.node, refused.message)
                    raise refused from None
                return found

    def _otherwise(self, refused: Refused) -> LoopPlan | None:
        """The plan of a loop whose iterations are not independent as it stands, if there is one."""
        try:
            found = self._with_workspaces(refused.message.startswith(INDIRECT))
            if found is None and refused.code == CARRIED:
                found = self._interchanged() or self._tied()
        except Refused:
            found = self._across()
            if found is None:
                raise
        return found or self._across()

    def _over_named_range(self) -> Refused | None:
        return over_named_range(self.node, self.nest.function, self.nest.facts)

    def _read(self) -> Reading:
        if self.reading is None:
            task, nest = self.task, self.nest
            node = self.node if task.widened is None else task.widened.loop
            whole = self.node is nest.node
            live = nest.live_after if whole else live_after(nest.function, self.node)
            self.reading = read_region(node, task.beginning, task.facts, task.fresh, live)
        return self.reading

    def _attempt(self) -> Attempt:
        """A new attempt, which may rewrite its own copy of the loop."""
        reading = self._read()
        return Attempt(self.task, replace(reading, loop=copied(reading.loop)))

    def _touch(self, attempt: Attempt) -> None:
        attempt.touch()
        self.seen = attempt.relations

    def _with_workspaces(self, indirect: bool) -> LoopPlan | None:
        """The plan of a loop whose iterations make arrays to work in, or share one at places that
        data say.
        """
        if self.task.widened is not None:
            return None
        loop = copied(self.node)  # arrays are made by functions that it calls, too
        bodies_written_in(loop, self.nest.facts, Fresh(named(self.nest.function)))
        found = widened(self.nest, loop, self.node if indirect else None)
        if found is None:
            return None
        planner = Planner(found.nest, self.node, self.outer, found)
        try:
            made = planner._parallel(planner._attempt())
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

    def _interchanged(self) -> LoopPlan | None:
        """The plan of a loop whose iterations are tied, but not those of the loops inside it."""
        reading = self._attempt().reading
        if reading.hit or reading.counted or reading.plain.counter or reading.plain.joint:
            return None
        for turned, outwards in inside_out(reading.loop, reading.live):
            try:
                made = self._parallel(Attempt(self.task, replace(reading, loop=turned)))
            except Refused:
                continue
            # Of old values, and of who adds when, the other order would know something else, and
            # so would a thread that goes through one of the loops that were inside by itself.
            if made.snapshots or made.atomics or made.accumulations:
                continue
            if outwards <= {axis.variable for axis in made.grid}:
                return made
        return None

    def _across(self) -> LoopPlan | None:
        """The plan of a loop over vectors: each element goes through all of it by itself."""
        if self.task.widened is not None:
            return None
        found = across(self.nest, self.node)
        if found is None:
            return None
        loop, turned = found
        planner = Planner(self.nest, self.node, self.outer, loop)
        try:
            made = planner._parallel(planner._attempt())
        except Refused:
            return None
        more = {axis.variable for axis in made.grid} ^ set(turned.places)
        if more and not (turned.free and more.isdisjoint(turned.places)):
            return None
        if made.snapshots or made.atomics:
            return None
        inwards = sorted(made.grid, key=lambda axis: axis.variable in turned.places)
        return loop.finished(replace(made, left=turned.left, grid=tuple(inwards)))

    def _tied(self) -> LoopPlan | None:
        """The plan of a loop whose iterations are tied by running numbers alone."""
        if self.outer and self.node is not self.nest.node:
            return None  # what the facts say of its numbers is so before the outermost loop alone
        reading = self._read()
        if reading.hit is not None or reading.begun or reading.first or reading.plain.packed:
            return None
        for find in TIES:
            attempt = self._attempt()
            tie = find(attempt)
            if tie is None:
                continue
            self._touch(attempt)
            made = untied(attempt, tie)
            if made is not None:
                return made
        return None

    def _parallel(self, attempt: Attempt) -> LoopPlan:
        """The plan of a loop whose iterations may run in any order."""
        loop, reading = attempt.loop, attempt.reading
        write_sums(loop, exposed(loop.body) & stored(loop.body))
        self._touch(attempt)
        closure = closure_step(loop, self.task.facts)
        fresh, live = self.task.fresh, attempt.live
        choice = GridChoice(attempt.ranges, self._inner_plans, fresh, live, closure).choose(
            attempt.relations, attempt.region, loop
        )
        attempt.guards += choice.guards
        gathered = attempt.accumulated(choice.chain)
        self._check_paying(attempt, choice.chain, gathered)
        self._check_packed(reading, gathered)
        attempt.bind_last(choice.chain)
        attempt.guards += self.task.beginning.number_guards(
            {a.variable for a in gathered if a.operator in ("+", "*", "min", "max")}
            - {one.name for one in reading.begun}
            - ({reading.hit.variable} if reading.hit is not None else set())
        )
        return replace(
            attempt.made(choice.chain),
            atomics=choice.atomics,
            snapshots=choice.snapshots,
            accumulations=tuple(gathered),
        )

    def _check_paying(
        self, attempt: Attempt, chain: Chain, gathered: Sequence[Accumulation]
    ) -> None:
        """Refuse launches for whose numbers the loop around them would wait in vain."""
        if not gathered or attempt.pays(chain):
            return
        if attempt.reading.hit is not None:
            raise early(self.node, attempt.reading.plain.returned)
        raise Refused(
            CARRIED,
            self.node,
            f"`{gathered[0].variable}` is needed by the loop around this one in each of its "
            "iterations (carried), and this loop alone goes over no more than one row: a "
            "launch for each row would cost more than the loop",
        )

    def _check_packed(self, reading: Reading, gathered: Sequence[Accumulation]) -> None:
        """Refuse tuples of which it does not show, item by item, whether the loop set them."""
        known = {a.variable for a in gathered if a.operator in ("argmin", "argmax", "latest")}
        for one in reading.plain.packed:
            if not known.issuperset(one.parts):
                message = f"`{one.name}` is set to a tuple or list, and so is not a number"
                raise Refused(UNSUPPORTED, self.node, message)

    def _inner_plans(self) -> Iterator[LoopPlan]:
        """Plans of the loops inside the region, each by itself."""
        for inner in outermost_loops(self.node):
            nest = replace(self.nest, node=inner, live_after=live_after(self.nest.function, inner))
            with contextlib.suppress(Refused):
                yield Planner(nest, inner, (*self.outer, self.node)).plan()


def _with_bound_names(nest: LoopNest) -> dict[str, Fact]:
    """The facts, and that names which the function binds are not the builtins of that name."""
    bound = bound_names(nest.function)
    return dict.fromkeys(bound, UnknownFact()) | dict(nest.facts)
