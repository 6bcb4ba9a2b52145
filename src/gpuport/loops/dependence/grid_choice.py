"""Which loops of a region run at once, and what that takes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gpuport.loops.context.scalars import exposed
from gpuport.loops.dependence.closures import Closure
from gpuport.loops.dependence.conflicts import Conflict, conflicts
from gpuport.loops.dependence.grid import Chain, chains, is_element, lay_out
from gpuport.loops.dependence.remedies import apart_unless_negative, settle
from gpuport.loops.dependence.spelling import called
from gpuport.loops.heads.counting import nonempty
from gpuport.loops.names import Fresh, loaded, stored
from gpuport.loops.reasons import CARRIED, Refused
from gpuport.loops.records import LoopPlan, SubscriptRange
from gpuport.loops.sets.accesses import Region
from gpuport.loops.sets.relations import Relations

Ranges = Callable[[Relations, Region], tuple[list[SubscriptRange], list[str]]]


@dataclass(frozen=True)
class Choice:
    """The loops that run at once.

    Attributes
    ----------
    chain : Chain
    atomics, snapshots : frozenset of str
        Arrays that are changed atomically; arrays whose old values are read.
    guards : tuple of str
    """

    chain: Chain
    atomics: frozenset[str]
    snapshots: frozenset[str]
    guards: tuple[str, ...]


class GridChoice:
    """Chooses the loops of a region that become the grid.

    Parameters
    ----------
    ranges : callable
        What is known of the region's indices.
    inner_plans : callable
        Plans of the loops inside the region, each by itself.
    fresh : Fresh
    live : frozenset of str
        Names that something reads after the region.
    closure : Closure, optional
        The region as a step of a path closure.
    """

    def __init__(
        self,
        ranges: Ranges,
        inner_plans: Callable[[], Iterator[LoopPlan]],
        fresh: Fresh,
        live: frozenset[str],
        closure: Closure | None = None,
    ) -> None:
        self.closure = closure
        self.ranges = ranges
        self.inner_plans = inner_plans
        self.fresh = fresh
        self.live = live

    def choose(self, relations: Relations, region: Region, loop: ast.For) -> Choice:
        """The loops that run at once, and what that takes."""
        written = {a.array for a in region.accesses if a.write}
        closure = self.closure
        if closure is not None and not region.shared(closure.array):
            written -= {closure.array}
        else:
            closure = None
        candidates = chains(loop, written)
        first = candidates[0]
        found = conflicts(relations, region, region.dim_of(loop), 0)
        if closure is not None:
            found = [one for one in found if not closure.settles(one)]
        settled = settle(relations, region, found)
        guards = list(settled.guards)
        atomics, snapshots = settled.atomics, settled.snapshots
        if closure is not None:
            guards += closure.guards
            snapshots |= {closure.array}
        if any(c.first.array in atomics and not c.scattered for c in found):
            self._prefer_inner(found, stored([loop]))
        best = first
        tied = carried_names(first)
        needed: list[str] = []
        for chain in candidates[1:]:
            inner = chain.loops[-1]
            depth = len(chain.loops) - 1
            if carried_names(chain) - tied or not self._may_extend(chain, region, bool(tied)):
                break
            more = conflicts(relations, region, region.dim_of(inner), depth)
            rest = [c for c in more if c.first.array not in atomics]
            rest = [c for c in rest if closure is None or not closure.settles(c)]
            apart = [apart_unless_negative(relations, region, one, settled.given) for one in rest]
            if None in apart:
                break
            if needed or self._may_raise(chain.leading[len(best.leading) :], relations, region):
                # Threads of the inner loop do it: without any, it would not be done at all.
                if variables(chain) & loaded([inner.iter]):
                    break
                needed.append(nonempty(inner))
            guards += filter(None, apart)
            best = chain
        return Choice(best, atomics, snapshots, (*guards, *needed))

    def _may_raise(
        self, statements: Sequence[ast.stmt], relations: Relations, region: Region
    ) -> bool:
        """Whether an index in statements between two heads may be outside of its array."""
        nodes = {id(node) for s in statements for node in ast.walk(s) if is_element(node)}
        if not nodes:
            return False
        ranges, _ = self.ranges(relations, region)
        return any(id(one.node) in nodes and not one.proven for one in ranges)

    def _prefer_inner(self, found: Sequence[Conflict], chosen: set[str]) -> None:
        """Leave a loop in Python that adds to the same cells each time, if those inside need not.

        Additions in the loop's own order are exact; atomic ones come in any order. Where each
        iteration adds to cells of its own choice, those inside have few.
        """
        for made in self.inner_plans():
            head = getattr(made.region, "iter", None)
            ragged = head is not None and not chosen.isdisjoint(loaded([head]))
            if not made.atomics and made.writes and not ragged:
                conflict = next(c for c in found if not c.scattered)
                raise Refused(
                    CARRIED,
                    conflict.first.node,
                    f"iterations of {called(conflict.dim)} add to the same elements "
                    f"`{ast.unparse(conflict.first.node)}` in their order (carried); the loops "
                    "inside it are parallel",
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


def variables(chain: Chain) -> set[str]:
    """The variables of a chain's loops."""
    return {loop.target.id for loop in chain.loops if isinstance(loop.target, ast.Name)}


def carried_names(chain: Chain) -> set[str]:
    """Names that an iteration of the chain may read before it has set them."""
    return exposed(chain.thread) & stored(chain.thread)
