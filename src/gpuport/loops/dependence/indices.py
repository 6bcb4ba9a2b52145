"""What is known of each index of a plan's body, and the guards that make it so."""

from __future__ import annotations

import ast
import itertools
import re

from gpuport.loops.dependence.grid import Chain
from gpuport.loops.records import SubscriptRange
from gpuport.loops.sets.accesses import Access, Region
from gpuport.loops.sets.guards import python_condition, python_value
from gpuport.loops.sets.relations import Relations, Set

_Key = tuple[str, int]
"""An array and one of its axes."""


def index_ranges(relations: Relations, region: Region) -> tuple[list[SubscriptRange], list[str]]:
    """A record for each index of each subscript, and the guards.

    Returns
    -------
    tuple of (list of SubscriptRange, list of str)
    """
    proven, guards = _axes(relations, region)
    flat, more = _flat(relations, region)
    found: dict[tuple[int, int], SubscriptRange] = {}
    for access in region.accesses:
        for k, index in enumerate(access.indices):
            known = index is not None and proven.get((access.array, k), True)
            inside = known or access.node in flat
            negative = relations.may_be_negative(access, k)
            one = SubscriptRange(access.node, access.array, k, negative, inside)
            earlier = found.get((id(access.node), k))
            found[id(access.node), k] = one if earlier is None else _weaker(earlier, one)
    return list(found.values()), guards + more


def _axes(relations: Relations, region: Region) -> tuple[dict[_Key, bool], list[str]]:
    """For each axis, whether its known indices are inside, given the guards."""
    bad: dict[_Key, Set] = {}
    runs: dict[_Key, Set] = {}
    for access in region.accesses:
        for k in range(len(access.indices)):
            outside = relations.outside(access, k)
            if outside is not None and not outside.is_empty():
                key = (access.array, k)
                running = relations.running(access, k)
                bad[key] = outside if key not in bad else outside.union(bad[key])
                runs[key] = running if key not in runs else running.union(runs[key])
    proven: dict[_Key, bool] = {}
    guards: list[str] = []
    for key, outside in bad.items():
        text = _inside(relations, region, outside, runs[key])
        proven[key] = text is not None and text != "False"
        if text is not None and proven[key]:
            guards.append(text)
    return proven, guards


def _inside(relations: Relations, region: Region, outside: Set, runs: Set) -> str | None:
    """The condition under which no index is outside; None where it would be too long."""
    context = relations.context
    text = python_condition(context.subtract(outside), region.symbols, context, runs)
    if text is None:
        # Rounding the forbidden sizes up to an interval leaves a shorter condition.
        wider = outside.remove_divs()
        text = python_condition(context.subtract(wider), region.symbols, context, runs)
    return text


def _flat(relations: Relations, region: Region) -> tuple[set[ast.Subscript], list[str]]:
    """Subscripts ``x[i * m + j]`` that a guard keeps inside the array."""
    inside: set[ast.Subscript] = set()
    guards: list[str] = []
    for access in region.accesses:
        if access.split is None or not relations.flat(access):
            continue
        reached = relations.rows(access)
        if reached is None:
            inside.add(access.node)
            continue
        rows = python_value(reached, region.symbols, relations.context)
        if rows is not None:
            product = " * ".join(map(_operand, (rows, *access.split.texts)))
            guards.append(f"{product} <= {access.array}.shape[0]")
            inside.add(access.node)
    return inside, guards


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


def elementwise(relations: Relations, region: Region, chain: Chain) -> bool:
    """Whether each array is subscripted by the grid's variables alone, over its full extent."""
    dims = [region.dim_of(loop) for loop in chain.loops]
    names = [dim.name for dim in dims]
    checked: set[str] = set()
    for access in region.accesses:
        checked.add(access.array)
        if not _plain(access, names):
            return False
    for other, dim in itertools.permutations(dims, 2):
        if re.search(rf"\b{other.name}\b", dim.text):
            return False  # a triangle: the range of one depends on another
    return all(
        relations.whole_extent(dim, array, k) for array in checked for k, dim in enumerate(dims)
    )


def _plain(access: Access, names: list[str]) -> bool:
    return [index.text if index is not None else None for index in access.indices] == names
