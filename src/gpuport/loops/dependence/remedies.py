"""What makes conflicts harmless: a condition on sizes, atomic changes, old values kept aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.dependence.conflicts import Conflict, reads_own_writes, refusal, safe_parameters
from gpuport.loops.sets.accesses import Access, Region
from gpuport.loops.sets.guards import python_condition
from gpuport.loops.sets.relations import Relations, Set


@dataclass(frozen=True)
class Settled:
    """What a loop needs so that its iterations may run in any order.

    Attributes
    ----------
    guards : tuple of str
        Conditions that rule conflicts out.
    atomics, snapshots : frozenset of str
        Arrays that are changed atomically; arrays whose old values are read.
    given : islpy.Set
        The values of parameters for which the guards hold.
    """

    guards: tuple[str, ...]
    atomics: frozenset[str]
    snapshots: frozenset[str]
    given: Set


def settle(relations: Relations, region: Region, found: Sequence[Conflict]) -> Settled:
    """Make the conflicts of a loop harmless.

    Raises
    ------
    Refused
        Where one remains.
    """
    guards: list[str] = []
    given = relations.context
    rest: list[Conflict] = []
    for conflict in found:
        condition = ruled_out(relations, region, conflict)
        if condition is None:
            rest.append(conflict)
        else:
            guards.append(condition)
            given = given.intersect(safe_parameters(relations, conflict))
    atomics = {
        array
        for array in {c.first.array for c in rest}
        if len({a.joins for a in region.accesses if a.array == array} | {""}) == 2
        and all(a.joins for a in region.accesses if a.array == array)
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
    return Settled(tuple(guards), frozenset(atomics), frozenset(snapshots), given)


def apart_unless_negative(
    relations: Relations, region: Region, conflict: Conflict, given: Set
) -> str | None:
    """A condition that rules a conflict out, and holds wherever no parameter is negative; or None.

    Without ``r < 0`` no index of ``y[i, j]``, with ``j`` from ``r`` on, counts from the end. The
    condition is empty where the parameters of `given` have no conflict.
    """
    if conflict.scattered:
        return None
    safe = safe_parameters(relations, conflict)
    if given.is_subset(safe):
        return ""
    text = " and ".join(f"{name} >= 0" for name in region.symbols.texts)
    usual = relations.isl.Set(f"{relations.head}{{ : {text} }}").intersect(relations.context)
    if not usual.is_subset(safe):
        return None
    condition = python_condition(safe, region.symbols, relations.context)
    return None if condition == "False" else condition


def ruled_out(relations: Relations, region: Region, conflict: Conflict) -> str | None:
    """A condition on sizes that rules a conflict out without ruling out the loop; or None."""
    if conflict.scattered:
        return None
    safe = safe_parameters(relations, conflict)
    long = relations.long_runs(conflict.first).intersect(relations.long_runs(conflict.second))
    useful = safe.intersect(long)
    if useful.is_empty() or not any(
        _happens(relations, one, useful) for one in region.accesses if one.write
    ):
        return None
    text = python_condition(safe, region.symbols, relations.context)
    return None if text == "False" else text


def _happens(relations: Relations, access: Access, parameters: Set) -> bool:
    """Whether an access is carried out at all with some of these parameters."""
    if not access.exact:
        return True
    return not relations.cells(access).domain().params().intersect(parameters).is_empty()
