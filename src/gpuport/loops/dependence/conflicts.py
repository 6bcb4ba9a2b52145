"""Which iterations of a loop touch the same cell, and what that means for running them at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.context.scalars import exposed
from gpuport.loops.names import loaded, subscript_indices, walk
from gpuport.loops.names import stored as bound_in
from gpuport.loops.reasons import CARRIED, Refused
from gpuport.loops.sets.accesses import Access, Dim, Region
from gpuport.loops.sets.relations import Map, Relations, Set

INDIRECT = "not parallel: the indirect subscript of "
"""How it is told that an index is known by the data alone."""

_SMALL = 8
_PLAIN = (ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp)
"""Parts of expressions whose value is that of their names."""
_OUR_PLACES = re.compile(r"\bk\d*_(?![\w.])")
_BEGINNINGS = re.compile(r" \+ k\d*_(?=[,\]])")
_OUR_VARIABLES = re.compile(r"[ik]\d*_+")


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


@dataclass(frozen=True, slots=True)
class Dependence:
    """A conflict in the user's own names and lines.

    Attributes
    ----------
    variable : str
        The loop that carries it, by its variable; ``while`` for one that has none.
    kind : str
        ``flow`` (a later iteration reads what one wrote), ``anti`` (one reads what a later one
        writes) or ``output`` (both write).
    write, other : str
        The two accesses, ``write`` a write.
    write_line, other_line : int
    distance : int or None
        Iterations between the two, where that is always the same.
    witness : tuple of int or None
        Values of the variable in which they meet, that of ``write`` first.
    scattered : bool
        An index depends on data, so that any two iterations may meet.
    """

    variable: str
    kind: str
    write: str
    write_line: int
    other: str
    other_line: int
    distance: int | None
    witness: tuple[int, int] | None
    scattered: bool


def dependence(relations: Relations, conflict: Conflict) -> Dependence:
    """A conflict as it is told to users."""
    first, second = conflict.first, conflict.second
    found = None if conflict.scattered else _witness(relations, conflict)
    kind = "output" if second.write else "flow"
    if found is not None and kind == "flow" and _before(conflict, found[1], found[0]):
        kind = "anti"
    return Dependence(
        variable=conflict.dim.variable or "while",
        kind=kind,
        write=_text(first),
        write_line=first.node.lineno,
        other=_text(second),
        other_line=second.node.lineno,
        distance=None if found is None else found[2],
        witness=None if found is None else found[:2],
        scattered=conflict.scattered,
    )


def _before(conflict: Conflict, one: int, two: int) -> bool:
    return one < two if (conflict.dim.step or 1) > 0 else one > two


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
            f"so that an iteration may read what another one wrote (`{_text(write)}`)",
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


def refusal(relations: Relations, found: Sequence[Conflict]) -> Refused:
    """Why a loop is not parallel, by the conflict that says it best."""
    conflict = min(found, key=lambda item: (item.added, item.scattered, item.second.write))
    write, other = conflict.first, conflict.second
    if conflict.scattered:
        return Refused(CARRIED, write.node, _scattered(conflict))
    verb = "writes too" if other.write else "reads"
    may = "may write too" if other.write else "may have to read"
    text = (
        f"not parallel: what an iteration of {called(conflict.dim)} writes as `{_text(write)}` "
        f"(line {write.node.lineno}), another one {may} as "
        f"`{_text(other)}` (line {other.node.lineno}): the dependence may be carried"
    )
    witness = _witness(relations, conflict)
    if witness is None:
        return Refused(CARRIED, write.node, text)
    one, two, distance = witness
    step = f", distance {distance}" if distance else ""
    own = _is_ours(conflict.dim)
    loop = called(conflict.dim) if own else f"the loop over {called(conflict.dim)}"
    named = "" if own else f"{conflict.dim.variable} = "
    text = (
        f"not parallel: a dependence is carried by {loop}{step}: iteration "
        f"{named}{one} writes `{_text(write)}` (line {write.node.lineno}), which iteration "
        f"{named}{two} {verb} as `{_text(other)}` (line {other.node.lineno})"
    )
    if write.array != other.array:
        text += f"; `{write.array}` and `{other.array}` overlap (alias)"
    return Refused(CARRIED, write.node, text)


def _text(access: Access) -> str:
    """As users wrote it: a row, or its rest, where the index along it is none of theirs.

    An element that a loop's head hands out goes by the name that it has there.
    """
    if any(_OUR_VARIABLES.fullmatch(name) for name in loaded([access.node.slice])):
        name = _handed_out(access)
        if name is not None:
            return name
    return _OUR_PLACES.sub(":", _BEGINNINGS.sub(":", ast.unparse(access.node)))


def _handed_out(access: Access) -> str | None:
    """The name that is given an element: ``v`` in ``for v in x``."""
    for statement in walk([dim.node for dim in access.dims]):
        if not isinstance(statement, ast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = [*zip(target.elts, value.elts, strict=True)]
        for one, given in pairs:
            if given is access.node and isinstance(one, ast.Name):
                return one.id
    return None


def _is_ours(dim: Dim) -> bool:
    """Whether the user has no name for what a loop counts."""
    return dim.variable is None or _OUR_VARIABLES.fullmatch(dim.variable) is not None


def called(dim: Dim) -> str:
    """A loop by its variable, or by its line where that is none of the user's."""
    return f"the loop on line {dim.node.lineno}" if _is_ours(dim) else f"`{dim.variable}`"


def _scattered(conflict: Conflict) -> str:
    write, other = conflict.first, conflict.second
    node = write if not write.exact else other
    verb = "write" if other.write else "read or write"
    entangled = _entangled(node)
    if entangled is not None:
        return (
            f"not parallel: `{entangled}` in `{_text(node)}` is no sum of the loops' variables "
            f"times literals, so it is not known whether two iterations of "
            f"{called(conflict.dim)} {verb} the same cell of `{node.array}` (the dependence may "
            "be carried)"
        )
    raised = _raised(node)
    if raised is not None:
        return (
            f"not parallel: which cell `{_text(node)}` is, depends on how often the iterations "
            f"before changed `{raised[0]}` (carried; line {raised[1]}). Each iteration has cells "
            f"of its own only where `{raised[0]}` starts at a literal and goes up with each store, "
            f"and nothing else touches `{node.array}`, or only reads what was not stored yet"
        )
    return (
        f"{INDIRECT}`{_text(node)}` depends on data, so two "
        f"iterations of {called(conflict.dim)} may {verb} the same cell of `{node.array}` "
        f"(duplicates in a scatter; the dependence may be carried)"
    )


def _raised(access: Access) -> tuple[str, int] | None:
    """The name in an index that iterations change, ``k += 1``, and the line of that."""
    loop = access.dims[0].node if access.dims else None
    if not isinstance(loop, ast.For):
        return None
    carried = loaded(subscript_indices(access.node)) & exposed(loop.body)
    for one in walk(loop.body):
        target = one.target if isinstance(one, ast.AugAssign) else None
        if isinstance(target, ast.Name) and target.id in carried:
            return target.id, target.lineno
    return None


def _entangled(access: Access) -> str | None:
    """An index of the loops' variables alone that is not followed; None where data is in it."""
    variables = {dim.variable for dim in access.dims}
    values = given_once(access.dims[0].node) if access.dims else {}
    stored = {name for dim in access.dims for name in bound_in([dim.node])} - variables
    for value, index in zip(access.indices, subscript_indices(access.node), strict=True):
        index = worked_in(index, values)
        data = any(isinstance(n, ast.Subscript | ast.Call) for n in ast.walk(index))
        names = loaded([index])
        if value is None and not data and names & variables and not names & stored:
            return ast.unparse(index)
    return None


def _witness(relations: Relations, conflict: Conflict) -> tuple[int, int, int | None] | None:
    """Two iterations that meet, the writer's first, and their distance where it is fixed.

    None where it is not known which iterations inner loops have, or which cells they reach.
    """
    ends = conflict.first, conflict.second
    if not all(dim.affine for one in ends for dim in one.dims):
        return None
    if any(None in one.indices and not relations.flat(one) for one in ends):
        return None
    space = relations.isl.dim_type
    pairs = conflict.pairs
    sign = "<" if (conflict.dim.step or 1) > 0 else ">"
    ordered = pairs.intersect(
        relations.differing(conflict.first, conflict.second, conflict.depth, sign)
    )
    pairs = pairs if ordered.is_empty() else ordered
    points = pairs.wrap()
    for k in range(points.dim(space.param)):
        counted = points.lower_bound_val(space.param, k, relations.isl.Val(0))
        points = points if counted.is_empty() else counted
    for k in range(points.dim(space.param)):
        small = points.upper_bound_val(space.param, k, relations.isl.Val(_SMALL))
        points = points if small.is_empty() else small
    if points.is_empty():
        return None
    point = points.sample_point()
    width = len(conflict.first.dims)
    one = point.get_coordinate_val(space.set, conflict.depth).to_python()
    two = point.get_coordinate_val(space.set, width + conflict.depth).to_python()
    return one, two, _distance(relations, pairs, conflict)


def _distance(relations: Relations, pairs: Map, conflict: Conflict) -> int | None:
    space = relations.isl.dim_type
    first = pairs.dim(space.in_)
    depth = conflict.depth
    moved = pairs.project_out(space.in_, depth + 1, first - depth - 1).project_out(
        space.in_, 0, depth
    )
    second = moved.dim(space.out)
    moved = moved.project_out(space.out, depth + 1, second - depth - 1).project_out(
        space.out, 0, depth
    )
    gaps = moved.deltas()
    gaps = gaps.project_out(space.param, 0, gaps.dim(space.param))
    low, high = gaps.dim_min_val(0), gaps.dim_max_val(0)
    if not low.is_int() or not high.is_int() or not low.eq(high):
        return None
    return abs(int(low.to_python())) // abs(conflict.dim.step or 1)
