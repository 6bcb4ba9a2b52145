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
    bounds = _Bounds(relations, region)
    proven, guards = bounds.proven()
    flat, more = _flat(relations, region)
    found: dict[tuple[int, int], SubscriptRange] = {}
    for access in region.accesses:
        for k in range(len(access.indices)):
            each = bounds.each(access, k)
            inside = access.node in flat or (bool(each) and proven.get((access.array, k), True))
            negative = any(relations.may_be_negative(one, k) for one in each or [access])
            one = SubscriptRange(access.node, access.array, k, negative, inside)
            earlier = found.get((id(access.node), k))
            found[id(access.node), k] = one if earlier is None else _weaker(earlier, one)
    return list(found.values()), guards + more


class _Bounds:
    """With which sizes the known indices leave their arrays, for each axis of these."""

    def __init__(self, relations: Relations, region: Region) -> None:
        self.relations = relations
        self.region = region
        self.bad: dict[_Key, Set] = {}
        self.runs: dict[_Key, Set] = {}
        self.chosen: dict[tuple[int, int], list[Access]] = {}
        for access in region.accesses:
            for k, index in enumerate(access.indices):
                if index is not None:
                    self._add(access, k)
        for access in region.accesses:
            for k, index in enumerate(access.indices):
                if index is None:
                    self._choose(access, k)

    def each(self, access: Access, axis: int) -> list[Access]:
        """An access by each index that it may have on an axis; none where that is not known."""
        if access.indices[axis] is not None:
            return [access]
        return self.chosen.get((id(access), axis), [])

    def _add(self, access: Access, axis: int) -> None:
        outside = self.relations.outside(access, axis)
        if outside is not None and not outside.is_empty():
            key = (access.array, axis)
            running = self.relations.running(access, axis)
            self.bad[key] = outside if key not in self.bad else outside.union(self.bad[key])
            self.runs[key] = running if key not in self.runs else running.union(self.runs[key])

    def _choose(self, access: Access, axis: int) -> None:
        """An index that is one of several known values, where that asks for nothing new.

        Which of them it is when is left open, and so they may seem to leave an array that they
        never leave: a guard for that would keep the kernel from being launched.
        """
        possible = self.region.possible(access, axis)
        outside = [self.relations.outside(one, axis) for one in possible]
        if any(one is None for one in outside):
            return
        asked = self.relations.without_cells(access.array, axis)
        if (access.array, axis) in self.bad:
            asked = asked.union(self.bad[access.array, axis])
        if all(one is not None and one.subtract(asked).is_empty() for one in outside):
            self.chosen[id(access), axis] = possible
            for one in possible:
                self._add(one, axis)

    def proven(self) -> tuple[dict[_Key, bool], list[str]]:
        """For each axis, whether its known indices are inside, given the guards."""
        proven: dict[_Key, bool] = {}
        guards: list[str] = []
        for key, outside in self.bad.items():
            text = _inside(self.relations, self.region, outside, self.runs[key])
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
