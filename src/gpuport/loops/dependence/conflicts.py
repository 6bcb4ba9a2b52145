"""Which iterations of a loop touch the same cell, and what that means for running them at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.dependence.spelling import spelled
from gpuport.loops.names import loaded, walk
from gpuport.loops.names import stored as bound_in
from gpuport.loops.reasons import CARRIED, Refused
from gpuport.loops.sets.accesses import Access, Dim, Region
from gpuport.loops.sets.relations import Map, Relations, Set

_PLAIN = (ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp)
"""Parts of expressions whose value is that of their names."""


@dataclass(frozen=True, eq=False)
class Conflict:
    """Two accesses to the same cell, one of them a write, in different iterations of a loop.

    Attributes
    ----------
    first, second : Access
        ``first`` is a write.
    pairs : islpy.Map
        The iterations.
    dim : Dim
        The loop whose iterations differ.
    depth : int
        Its place among the loops around the accesses.
    """

    first: Access
    second: Access
    pairs: Map
    dim: Dim
    depth: int

    @property
    def added(self) -> bool:
        """Whether both only add to the cell, or both keep the same extreme in it."""
        return bool(self.first.joins) and self.first.joins == self.second.joins

    @property
    def scattered(self) -> bool:
        """Whether an index depends on data."""
        return not (self.first.exact and self.second.exact)

    @property
    def followed(self) -> bool:
        """Whether sizes may rule it out: its indices are known, or are sums that are compared."""
        return not self.scattered or any(
            one is not None and other is not None and one.like(other) and one.moves
            for one, other in zip(self.first.reaches, self.second.reaches, strict=False)
        )


def conflicts(relations: Relations, region: Region, dim: Dim, depth: int) -> list[Conflict]:
    """Every conflict between different iterations of a loop.

    Parameters
    ----------
    relations : Relations
    region : Region
    dim : Dim
    depth : int
        Number of the region's loops around this one.
    """
    found = []
    by_array: dict[str, list[Access]] = {}
    for access in region.accesses:
        if len(access.dims) > depth and access.dims[depth] is dim:
            by_array.setdefault(region.root(access.array), []).append(access)
    for root, accesses in by_array.items():
        if not any(access.write for access in accesses):
            continue
        _comparable(region, root, accesses)
        fixed = _fixed_values(accesses)
        for first, second in _pairs(relations, accesses, fixed):
            value = fixed.get(first.node)
            if value is not None and second.write and fixed.get(second.node) == value:
                continue  # whoever is last
            same = relations.same_cell(first, second)
            congruent = relations.congruent(first, second)
            same = same if congruent is None else same.intersect(congruent)
            if same.is_empty():
                continue
            apart = same.intersect(relations.differing(first, second, depth, "<"))
            if first is not second:
                other = same.intersect(relations.differing(first, second, depth, ">"))
                apart = apart.union(other)
            if not apart.is_empty():
                found.append(Conflict(first, second, apart, dim, depth))
    return found


def _comparable(region: Region, root: str, accesses: Sequence[Access]) -> None:
    """Refuse views of one array whose cells cannot be compared."""
    names = sorted({access.array for access in accesses})
    if len(names) == 1:
        return
    shifts = [region.views.get(name, ("", 0))[1] for name in names]
    if None in shifts or len({region.ranks[name] for name in names}) > 1:
        write = next(access for access in accesses if access.write)
        raise Refused(
            CARRIED,
            write.node,
            f"not parallel: `{'`, `'.join(names)}` are views of `{root}` and may overlap (alias), "
            f"so that an iteration may read what another one wrote (`{spelled(write)}`)",
        )


def _fixed_values(accesses: Sequence[Access]) -> dict[ast.Subscript, str]:
    """What stores give their elements, where it is the same in all iterations of the region."""
    stores = {access.node for access in accesses if access.write and not access.joins}
    loop = accesses[0].dims[0].node
    changing = bound_in([loop])
    found: dict[ast.Subscript, str] = {}
    for statement in walk([loop]):
        if not isinstance(statement, ast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        plain = all(isinstance(n, _PLAIN) for n in walk([value]))
        if target in stores and plain and not loaded([value]) & changing:
            found[target] = ast.dump(value)
    return found


def _pairs(
    relations: Relations, accesses: Sequence[Access], fixed: Mapping[ast.Subscript, str]
) -> list[tuple[Access, Access]]:
    """Unordered pairs of which the first writes; accesses that say the same count once."""
    distinct: list[Access] = []
    seen = set()
    for access in accesses:
        value = fixed.get(access.node)
        key = (id(relations.cells(access)), access.write, access.joins, value)
        if key not in seen:
            seen.add(key)
            distinct.append(access)
    made = []
    for k, first in enumerate(distinct):
        for second in distinct[k:]:
            if first.write:
                made.append((first, second))
            elif second.write:
                made.append((second, first))
    return made


def reads_own_writes(relations: Relations, region: Region, array: str) -> bool:
    """Whether any read of an array may see what the region itself wrote before it."""
    return any(not pairs.is_empty() for pairs in _seen(relations, region, array))


def seen_writes(relations: Relations, region: Region, array: str) -> Set:
    """The parameters with which a read of an array sees what the region itself wrote before it."""
    found = relations.isl.Set(f"{relations.head}{{ : false }}")
    for pairs in _seen(relations, region, array):
        found = found.union(pairs.wrap().params())
    return found


def _seen(relations: Relations, region: Region, array: str) -> Iterator[Map]:
    """Pairs of a write and a read of its cell that comes after it."""
    accesses = [access for access in region.accesses if access.array == array]
    for write in accesses:
        for read in accesses:
            if write.write and not read.write:
                same = relations.same_cell(write, read)
                yield same.intersect(relations.before(write, read))


def safe_parameters(relations: Relations, conflict: Conflict) -> Set:
    """The parameters with which a conflict cannot happen."""
    return relations.context.subtract(conflict.pairs.wrap().params()).coalesce()
