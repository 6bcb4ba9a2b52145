"""Loops whose iterations are tied by running numbers alone, and what unties them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gpuport.loops.carried import Accumulation, Latest, Scan, Tallies
from gpuport.loops.dependence.conflicts import conflicts
from gpuport.loops.dependence.grid_choice import carried_names, variables
from gpuport.loops.dependence.remedies import ruled_out
from gpuport.loops.kernels.single import check_snapshots
from gpuport.loops.names import dotted, stored, walk
from gpuport.loops.planning.attempt import Attempt
from gpuport.loops.records import LoopPlan
from gpuport.loops.ties.latest import find as find_latest
from gpuport.loops.ties.scans import find as find_scan
from gpuport.loops.ties.tallies import find as find_tallies
from gpuport.loops.ties.tally_places import Place, apart, packed


@dataclass(frozen=True)
class Tie:
    """What ties the iterations of a loop, where nothing else does.

    Attributes
    ----------
    together : tuple of Accumulation
        What the iterations make together beside it.
    names : frozenset of str
        The numbers that tie them.
    asked : frozenset of str
        The names that have to hold numbers before the loop.
    guards : tuple of str
    scan : Scan or None
    tallies : Tallies or None
    latest : tuple of Latest
    places : mapping of ast.Subscript to Place
        Subscripts that reach other cells in each iteration, because of the tallies.
    packed : frozenset of str
        Arrays that are packed into their own beginning.
    """

    together: tuple[Accumulation, ...]
    names: frozenset[str]
    asked: frozenset[str]
    guards: tuple[str, ...]
    scan: Scan | None = None
    tallies: Tallies | None = None
    latest: tuple[Latest, ...] = ()
    places: Mapping[ast.Subscript, Place] | None = None
    packed: frozenset[str] = frozenset()


def _by_scan(attempt: Attempt) -> Tie | None:
    """A running sum, product or extreme that each iteration makes from the one before."""
    carried = carried_names(attempt.whole_loop())
    found = find_scan(attempt.loop, carried, attempt.live, attempt.task.fresh)
    if found is None:
        return None
    names = frozenset({found.scan.variable})
    asked = names | _summed(found.accumulations) if found.scan.array is None else frozenset[str]()
    return Tie(tuple(found.accumulations), names, asked, tuple(found.guards), scan=found.scan)


def _by_tallies(attempt: Attempt) -> Tie | None:
    """Numbers that iterations add to and read on the way."""
    loop = attempt.loop
    known = attempt.counted | variables(attempt.whole_loop())
    found = find_tallies(loop, carried_names(attempt.whole_loop()) - known, attempt.live - known)
    if found is None:
        return None
    tallies, together, some = found
    names = frozenset(tallies.variables)
    places = apart(loop, tallies.variables, attempt.task.beginning.text)
    return Tie(
        tuple(together),
        names,
        _summed(together) | names,
        (some,),
        tallies=tallies,
        places=places,
        packed=frozenset(packed(loop, places)),
    )


def _by_latest(attempt: Attempt) -> Tie | None:
    """Numbers that some iterations set, and the others keep."""
    known = attempt.counted | variables(attempt.whole_loop())
    carried = carried_names(attempt.whole_loop()) - known
    found = find_latest(attempt.loop, carried, attempt.live - known)
    if found is None:
        return None
    latest, together, some = found
    names = frozenset(one.variable for one in latest)
    return Tie(tuple(together), names, _summed(together), (some,), latest=tuple(latest))


def _summed(together: tuple[Accumulation, ...]) -> frozenset[str]:
    return frozenset(a.variable for a in together if a.operator in ("+", "*", "min", "max"))


TIES: tuple[Callable[[Attempt], Tie | None], ...] = (_by_scan, _by_tallies, _by_latest)
"""What may tie the iterations of a loop; each rewrites the attempt's loop in its own way."""


def untied(attempt: Attempt, tie: Tie) -> LoopPlan | None:
    """The plan of a loop that is tied by numbers alone; None where more ties it.

    Parameters
    ----------
    attempt : Attempt
        What its loop touches is known.
    tie : Tie

    Raises
    ------
    Refused
    """
    chain = attempt.whole_loop()
    if not attempt.pays(chain) or _counts_what_it_writes(attempt, tie):
        return None
    check_snapshots(tie.packed, attempt.loop.body)
    attempt.guards += tie.guards
    attempt.guards += attempt.task.beginning.number_guards(set(tie.asked))
    conditions = _apart_where(attempt, tie)
    if conditions is None:
        return None
    attempt.guards += conditions
    accounted = variables(chain) | attempt.counted | {a.variable for a in tie.together} | tie.names
    if set(attempt.live) & stored(chain.thread) - accounted:
        return None
    attempt.bind_last(chain)
    if tie.places is not None:
        attempt.count_within(tie.places)
    return replace(
        attempt.made(chain),
        scan=tie.scan,
        tallies=tie.tallies,
        latest=tie.latest,
        accumulations=tie.together,
        snapshots=tie.packed,
    )


def _counts_what_it_writes(attempt: Attempt, tie: Tie) -> bool:
    """Whether what is counted depends on arrays that the loop writes."""
    region = attempt.region
    written = {region.root(access.array) for access in region.accesses if access.write}
    written -= {array for array in tie.packed if not region.shared(array)}
    body = () if tie.tallies is None else tie.tallies.body
    read = {dotted(n.value) for n in walk(body) if isinstance(n, ast.Subscript)}
    return bool(written & {region.root(array) for array in read if array is not None})


def _apart_where(attempt: Attempt, tie: Tie) -> list[str] | None:
    """Conditions on sizes under which the arrays tie no iterations; None where there are none."""
    region, relations = attempt.region, attempt.relations
    separate = tie.places or {}
    tied = [
        one
        for one in conflicts(relations, region, region.dim_of(attempt.loop), 0)
        if not (one.first.array == one.second.array and one.first.node in separate)
    ]
    conditions = [ruled_out(relations, region, one) for one in tied]
    found = [condition for condition in conditions if condition is not None]
    return found if len(found) == len(conditions) else None
