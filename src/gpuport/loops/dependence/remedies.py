"""What makes conflicts harmless: a condition on sizes, atomic changes, old values kept aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpuport.loops.dependence.conflicts import (
    Conflict,
    reads_own_writes,
    safe_parameters,
    seen_writes,
)
from gpuport.loops.dependence.telling import refusal
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
    kept = dict(_kept_aside(relations, region, found))
    for text, safe in kept.values():
        guards += [] if text == "True" else [text]
        given = given.intersect(safe)
    for conflict in found:
        if conflict.first.array in kept:
            continue
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
    snapshots |= kept.keys()
    if rest:
        raise refusal(relations, rest)
    return Settled(tuple(guards), frozenset(atomics), frozenset(snapshots), given)


def _kept_aside(
    relations: Relations, region: Region, found: Sequence[Conflict]
) -> Iterator[tuple[str, tuple[str, Set]]]:
    """Arrays whose old values are read where that asks for less than that nothing is read and
    written: of ``a[i] = a[i + s]`` no more than that `s` is not negative.

    Each with the condition, and the parameters with which it holds.
    """
    for array in dict.fromkeys(one.first.array for one in found):
        mine = [one for one in found if one.first.array == array]
        reads = [one for one in mine if not one.second.write]
        if not reads or any(one.scattered for one in mine) or region.shared(array):
            continue
        apart = relations.context
        for one in mine:
            apart = apart.intersect(safe_parameters(relations, one))
        usual = " and ".join(f"{name} >= 0" for name in region.symbols.texts)
        if relations.isl.Set(f"{relations.head}{{ : {usual} }}").is_subset(apart):
            continue
        safe = relations.context.subtract(seen_writes(relations, region, array))
        for one in mine:
            safe = safe.intersect(safe_parameters(relations, one)) if one.second.write else safe
        safe = safe.coalesce()
        some = " and ".join(f"{name} >= 1" for name in region.symbols.texts)
        common = safe.intersect(relations.isl.Set(f"{relations.head}{{ : {some} }}"))
        if common.is_subset(apart) or not _is_useful(relations, region, mine, common):
            continue
        text = python_condition(safe, region.symbols, relations.context)
        if text not in (None, "False"):
            assert text is not None
            yield array, (text, safe)


def _is_useful(relations: Relations, region: Region, found: Sequence[Conflict], safe: Set) -> bool:
    """Whether some of these parameters make the loop a long one that writes anything."""
    for one in found:
        long = relations.long_runs(one.first).intersect(relations.long_runs(one.second))
        useful = safe.intersect(long)
        if useful.is_empty() or not any(
            _happens(relations, access, useful) for access in region.accesses if access.write
        ):
            return False
    return True


def apart_unless_negative(
    relations: Relations, region: Region, conflict: Conflict, given: Set
) -> str | None:
    """A condition that rules a conflict out, and holds wherever no parameter is negative; or None.

    Without ``r < 0`` no index of ``y[i, j]``, with ``j`` from ``r`` on, counts from the end. The
    condition is empty where the parameters of `given` have no conflict.
    """
    if not conflict.followed:
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
    if not conflict.followed:
        return None
    safe = safe_parameters(relations, conflict)
    if not _is_useful(relations, region, [conflict], safe):
        return None
    text = python_condition(safe, region.symbols, relations.context)
    return None if text == "False" else text


def _happens(relations: Relations, access: Access, parameters: Set) -> bool:
    """Whether an access is carried out at all with some of these parameters."""
    return not relations.cells(access).domain().params().intersect(parameters).is_empty()
