"""From a loop nest to the way it runs on the device, or to the reason why it does not."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec

from .accesses import Access, Reader, Region, integer_names
from .definitions import equal_extents, literal_before, outer_ranges, views
from .dependence import Conflict, conflicts, reads_own_writes, refusal, safe_parameters
from .forms import Plainer, PlainLoop, counted_name, nonempty
from .grid import Chain, chains, has_exit, is_element, lay_out
from .guards import python_condition, python_value
from .names import Fresh, loaded, stored
from .patterns import accumulations, counters, outlives, run_on, write_sums
from .reasons import CARRIED, DATA_EXIT, NOT_INSTALLED, UNSUPPORTED, Refused
from .records import (
    Accumulation,
    ArrayFact,
    Fact,
    LoopNest,
    LoopPlan,
    Refusal,
    ScalarFact,
    SubscriptRange,
    UnknownFact,
)
from .relations import Relations, Set, budget
from .scalars import exposed, live_after, nests
from .scans import find as find_scan

__all__ = ["live_after", "nests", "plan", "plans", "region_plan"]

Loop = ast.For | ast.While
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def plan(nest: LoopNest) -> LoopPlan | Refusal:
    """How a nest runs on the device: its outermost loop, or the first inner one that can.

    Parameters
    ----------
    nest : LoopNest

    Returns
    -------
    LoopPlan or Refusal
        The refusal is that of the outermost loop.
    """
    found = plans(nest)
    return next((one for one in found if isinstance(one, LoopPlan)), found[0])


def plans(nest: LoopNest) -> list[LoopPlan | Refusal]:
    """Plans for a nest whose outer loops may stay in Python around several launches.

    Returns
    -------
    list of LoopPlan or Refusal
        One plan where the outermost loop becomes a kernel. Otherwise the reason why it does not,
        followed by the results for the loops inside it; a loop with a reason of its own stands
        before those inside it.
    """
    missing = _without_isl(nest)
    if missing is not None:
        return [missing]
    return _plans(nest, nest.node, ())


def region_plan(nest: LoopNest, outer: tuple[Loop, ...] = ()) -> LoopPlan | Refusal:
    """The plan of the nest's own loop as one kernel; loops inside it are not tried alone.

    Parameters
    ----------
    nest : LoopNest
    outer : tuple of ast.For or ast.While
        The loops around it, which stay in Python.
    """
    missing = _without_isl(nest)
    if missing is not None:
        return missing
    try:
        return _Planner(nest, nest.node, outer).plan()
    except Refused as refused:
        return refused.refusal()


def _without_isl(nest: LoopNest) -> Refusal | None:
    if find_spec("islpy") is not None:
        return None
    return Refusal(
        NOT_INSTALLED,
        "loops are analysed with islpy, which is not installed: `pip install gpuport[loops]`",
        nest.node.lineno,
        nest.node.col_offset,
    )


def _plans(nest: LoopNest, node: Loop, outer: tuple[Loop, ...]) -> list[LoopPlan | Refusal]:
    try:
        return [_Planner(nest, node, outer).plan()]
    except Refused as refused:
        found: list[LoopPlan | Refusal] = [refused.refusal()]
    for inner in _inner_loops(node):
        found += _plans(nest, inner, (*outer, node))
    return found


def _inner_loops(node: Loop) -> list[Loop]:
    found: list[Loop] = []

    def search(parent: ast.AST) -> None:
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.For | ast.While):
                found.append(child)
            elif not isinstance(child, _SCOPES):
                search(child)

    search(node)
    return found


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


class _Planner:
    """Plans one region: a loop with everything in it."""

    def __init__(self, nest: LoopNest, node: Loop, outer: tuple[Loop, ...]) -> None:
        self.nest = nest
        self.node = node
        self.outer = outer
        self.live = nest.live_after if node is nest.node else live_after(nest.function, node)
        self.facts = _with_bound_names(nest)
        taken = {child.id for child in ast.walk(nest.function) if isinstance(child, ast.Name)}
        self.fresh = Fresh(taken)
        self.guards: list[str] = []
        self.last_values: list[tuple[str, str]] = []

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
        plain = Plainer(self.facts, self.fresh).region(self.node, self._start())
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
                f"the range `{ast.unparse(loop.iter)}` depends on elements of an array",
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
        counted = counters(loop, self.fresh, self._before)
        return _Reading(plain, loop, counted, integers | integer_names(loop))

    def _touched(self, reading: _Reading) -> tuple[Region, Relations]:
        reader = Reader(reading.loop, self.facts, reading.integers)
        known = equal_extents(self.nest, self.node, reader.wholes)
        reader.wholes.symbols.constraints += outer_ranges(self.outer, reader.wholes)
        region = reader.read()
        region.views.update(views(self.nest, self.node))
        self.guards += self._rank_guards(region)
        self.guards += reading.plain.guards
        self.guards += [f"{text} > 0" for text in region.symbols.positive]
        return region, Relations(region, known)

    def _parallel(self) -> LoopPlan:
        """The plan of a loop whose iterations may run in any order."""
        reading = self._read()
        write_sums(reading.loop, exposed(reading.loop.body) & stored(reading.loop.body))
        region, relations = self._touched(reading)
        chain, atomics, snapshots = self._grid(relations, region, reading.loop)
        gathered = self._accumulations(chain, reading)
        if self.outer and gathered:
            raise Refused(
                CARRIED,
                self.node,
                f"`{gathered[0].variable}` is needed by the loop around this one in each of its "
                "iterations (carried): it stays a Python loop",
            )
        self._last_values(chain, reading)
        made = self._made(reading, region, relations, chain)
        return replace(
            made,
            atomics=frozenset(atomics),
            snapshots=frozenset(snapshots),
            accumulations=tuple(gathered),
        )

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
        apart = conflicts(relations, region, region.dim_of(loop), 0)
        if any(not self._guarded(relations, region, one) for one in apart):
            return None
        grid, known = _variables(chain), {name for name, _ in reading.counted}
        if (set(self.live) & stored(chain.thread)) - grid - known - {found.scan.variable}:
            return None
        self._last_values(chain, reading)
        return replace(self._made(reading, region, relations, chain), scan=found.scan)

    def _made(
        self, reading: _Reading, region: Region, relations: Relations, chain: Chain
    ) -> LoopPlan:
        layout = lay_out(chain, self.fresh)
        assert layout is not None
        ranges = self._ranges(relations, region)
        self._check_guards(reading)
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
            last_values=tuple(self.last_values),
            guards=tuple(dict.fromkeys(g for g in self.guards if g != "True")),
            elementwise=_elementwise(relations, region, chain),
            ranges=tuple(ranges),
            ranks=dict(region.ranks),
        )

    def _check_guards(self, reading: _Reading) -> None:
        """Guards are asked before the launch: nothing that the loop binds may stand in them."""
        bound = stored([reading.loop])
        for guard in self.guards:
            if loaded([ast.parse(guard)]) & bound:
                raise Refused(UNSUPPORTED, self.node, f"it would need `{guard}` inside the loop")

    def _start(self) -> ast.expr | None:
        """The literal that a counting ``while``'s variable has before the loop."""
        name = counted_name(self.node) if isinstance(self.node, ast.While) else None
        return None if name is None else self._literal(name)

    def _literal(self, name: str) -> ast.expr | None:
        fact = self.nest.facts.get(name)
        if self.node is self.nest.node and isinstance(fact, ScalarFact) and type(fact.value) is int:
            return ast.copy_location(ast.Constant(fact.value), self.node)
        return literal_before(self.nest.function, self.node, name)

    def _before(self, name: str) -> str:
        """Python text for the value of a name before the loop."""
        literal = self._literal(name)
        return name if literal is None else ast.unparse(literal)

    def _rank_guards(self, region: Region) -> list[str]:
        made = []
        for array, rank in region.ranks.items():
            fact = self.nest.facts.get(array)
            if not isinstance(fact, ArrayFact) or fact.rank is None:
                made.append(f"{array}.ndim == {rank}")
        return made

    def _grid(
        self, relations: Relations, region: Region, loop: ast.For
    ) -> tuple[Chain, set[str], set[str]]:
        """The loops that run at once, and what that takes."""
        written = {a.array for a in region.accesses if a.write}
        candidates = chains(loop, written)
        first = candidates[0]
        found = conflicts(relations, region, region.dim_of(loop), 0)
        atomics, snapshots = self._settle(relations, region, found)
        if any(c.first.array in atomics and not c.scattered for c in found):
            self._prefer_inner(found)
        best = first
        tied = _carried_names(first)
        for chain in candidates[1:]:
            inner = chain.loops[-1]
            depth = len(chain.loops) - 1
            if _carried_names(chain) - tied or not self._may_extend(chain, region, bool(tied)):
                break
            more = conflicts(relations, region, region.dim_of(inner), depth)
            if any(c.first.array not in atomics for c in more):
                break
            best = chain
        return best, atomics, snapshots

    def _prefer_inner(self, found: Sequence[Conflict]) -> None:
        """Leave a loop in Python that adds to the same cells each time, if those inside need not.

        Additions in the loop's own order are exact; atomic ones come in any order.
        """
        for inner in _inner_loops(self.node):
            nest = replace(self.nest, node=inner, live_after=live_after(self.nest.function, inner))
            try:
                made = _Planner(nest, inner, (*self.outer, self.node)).plan()
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

    def _settle(
        self, relations: Relations, region: Region, found: Sequence[Conflict]
    ) -> tuple[set[str], set[str]]:
        """Make conflicts of the outermost loop harmless: by a guard, atomics, or a snapshot."""
        rest = [c for c in found if not self._guarded(relations, region, c)]
        atomics = {
            array
            for array in {c.first.array for c in rest}
            if all(a.added for a in region.accesses if a.array == array)
            and not region.shared(array)
        }
        rest = [c for c in rest if c.first.array not in atomics]
        snapshots = {
            array
            for array in {c.first.array for c in rest}
            if not any(c.second.write for c in rest if c.first.array == array)
            and not region.shared(array)
            and not reads_own_writes(relations, region, array)
        }
        rest = [c for c in rest if c.first.array not in snapshots]
        if rest:
            raise refusal(relations, rest)
        return atomics, snapshots

    def _guarded(self, relations: Relations, region: Region, conflict: Conflict) -> bool:
        """Whether a condition on sizes rules a conflict out without ruling out the loop."""
        if conflict.scattered:
            return False
        safe = safe_parameters(relations, conflict)
        long = relations.long_runs(conflict.first).intersect(relations.long_runs(conflict.second))
        if safe.intersect(long).is_empty():
            return False
        text = python_condition(safe, region.symbols, relations.context)
        if text is None or text == "False":
            return False
        self.guards.append(text)
        return True

    def _accumulations(self, chain: Chain, reading: _Reading) -> list[Accumulation]:
        bound = stored(chain.thread)
        names = exposed(chain.thread) & bound
        known = {name for name, _ in reading.counted}
        outlive = (set(self.live) & bound) - _variables(chain) - known
        if reading.plain.counter is not None:
            outlive.discard(reading.plain.counter.variable)
        return accumulations(chain.thread, names, outlive)

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
                self.last_values.append((name, f"{ast.unparse(one.iter)}[-1]"))
        for one in chain.loops:
            assert isinstance(one.target, ast.Name)
            if one.target.id in outliving | (joint if joint & self.live else set()):
                self.guards.append(nonempty(one))

    def _ranges(self, relations: Relations, region: Region) -> list[SubscriptRange]:
        """What is known of each index, with the guards that make it so."""
        proven: dict[tuple[str, int], bool] = {}
        bad: dict[tuple[str, int], Set] = {}
        runs: dict[tuple[str, int], Set] = {}
        for access in region.accesses:
            for k in range(len(access.indices)):
                outside = relations.outside(access, k)
                if outside is not None and not outside.is_empty():
                    key = (access.array, k)
                    running = relations.running(access, k)
                    bad[key] = outside if key not in bad else outside.union(bad[key])
                    runs[key] = running if key not in runs else running.union(runs[key])
        for key, outside in bad.items():
            good = relations.context.subtract(outside)
            text = python_condition(good, region.symbols, relations.context, runs[key])
            if text is None:
                # Rounding the forbidden sizes up to an interval leaves a shorter condition.
                good = relations.context.subtract(outside.remove_divs())
                text = python_condition(good, region.symbols, relations.context, runs[key])
            proven[key] = text is not None and text != "False"
            if text is not None and proven[key]:
                self.guards.append(text)
        flat = self._flat_ranges(relations, region)
        found: dict[tuple[int, int], SubscriptRange] = {}
        for access in region.accesses:
            for k in range(len(access.indices)):
                one = self._range(relations, access, k, proven)
                if access.node in flat:
                    one = replace(one, proven=True)
                earlier = found.get((id(access.node), k))
                found[id(access.node), k] = one if earlier is None else _weaker(earlier, one)
        return list(found.values())

    def _flat_ranges(self, relations: Relations, region: Region) -> set[ast.Subscript]:
        """Subscripts ``x[i * m + j]`` that a guard keeps inside the array."""
        inside: set[ast.Subscript] = set()
        for access in region.accesses:
            if access.split is None or not relations.flat(access):
                continue
            reached = relations.rows(access)
            if reached is None:
                inside.add(access.node)
                continue
            rows = python_value(reached, region.symbols, relations.context)
            if rows is not None:
                size = f"{access.array}.shape[0]"
                product = f"{_operand(rows)} * {_operand(access.split.text)}"
                self.guards.append(f"{product} <= {size}")
                inside.add(access.node)
        return inside

    def _range(
        self,
        relations: Relations,
        access: Access,
        k: int,
        proven: Mapping[tuple[str, int], bool],
    ) -> SubscriptRange:
        known = access.indices[k] is not None
        inside = known and proven.get((access.array, k), True)
        negative = relations.may_be_negative(access, k)
        return SubscriptRange(access.node, access.array, k, negative, inside)


def _with_bound_names(nest: LoopNest) -> dict[str, Fact]:
    """The facts, and that names which the function binds are not the builtins of that name."""
    bound = stored([nest.function])
    bound |= {child.arg for child in ast.walk(nest.function) if isinstance(child, ast.arg)}
    return dict.fromkeys(bound, UnknownFact()) | dict(nest.facts)


def _variables(chain: Chain) -> set[str]:
    return {loop.target.id for loop in chain.loops if isinstance(loop.target, ast.Name)}


def _carried_names(chain: Chain) -> set[str]:
    """Names that an iteration of the chain may read before it has set them."""
    return exposed(chain.thread) & stored(chain.thread)


def _elementwise(relations: Relations, region: Region, chain: Chain) -> bool:
    """Whether each array is subscripted by the grid's variables alone, over its full extent."""
    dims = [region.dim_of(loop) for loop in chain.loops]
    names = [dim.name for dim in dims]
    for access in region.accesses:
        if [index.text for index in access.indices if index is not None] != names:
            return False
        if len(access.indices) != len(names):
            return False
    checked = {access.array for access in region.accesses}
    return all(
        relations.whole_extent(dim, array, k) for array in checked for k, dim in enumerate(dims)
    )


def _operand(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def _weaker(first: SubscriptRange, second: SubscriptRange) -> SubscriptRange:
    return SubscriptRange(
        first.node,
        first.array,
        first.axis,
        first.negative or second.negative,
        first.proven and second.proven,
    )
