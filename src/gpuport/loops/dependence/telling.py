"""Conflicts between iterations as they are told: in the names and lines of the user."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.context.scalars import exposed
from gpuport.loops.dependence.conflicts import Conflict
from gpuport.loops.dependence.spelling import called, is_ours, spelled
from gpuport.loops.names import loaded, subscript_indices, walk
from gpuport.loops.names import stored as bound_in
from gpuport.loops.reasons import CARRIED, Refused
from gpuport.loops.sets.accesses import Access
from gpuport.loops.sets.relations import Map, Relations

_SMALL = 8
"""Sizes that are shown are no larger, where the conflict has such."""


def witness(relations: Relations, conflict: Conflict) -> tuple[int, int, int | None] | None:
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


INDIRECT = "not parallel: the indirect subscript of "
"""How it is told that an index is known by the data alone."""


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
    found = None if conflict.scattered else witness(relations, conflict)
    kind = "output" if second.write else "flow"
    if found is not None and kind == "flow" and _before(conflict, found[1], found[0]):
        kind = "anti"
    return Dependence(
        variable=conflict.dim.variable or "while",
        kind=kind,
        write=spelled(first),
        write_line=first.node.lineno,
        other=spelled(second),
        other_line=second.node.lineno,
        distance=None if found is None else found[2],
        witness=None if found is None else found[:2],
        scattered=conflict.scattered,
    )


def _before(conflict: Conflict, one: int, two: int) -> bool:
    return one < two if (conflict.dim.step or 1) > 0 else one > two


def refusal(relations: Relations, found: Sequence[Conflict]) -> Refused:
    """Why a loop is not parallel, by the conflict that says it best."""
    conflict = min(found, key=lambda item: (item.added, item.scattered, item.second.write))
    write, other = conflict.first, conflict.second
    if conflict.scattered:
        return Refused(CARRIED, write.node, _scattered(conflict))
    verb = "writes too" if other.write else "reads"
    may = "may write too" if other.write else "may have to read"
    text = (
        f"not parallel: what an iteration of {called(conflict.dim)} writes as `{spelled(write)}` "
        f"(line {write.node.lineno}), another one {may} as "
        f"`{spelled(other)}` (line {other.node.lineno}): the dependence may be carried"
    )
    met = witness(relations, conflict)
    if met is None:
        return Refused(CARRIED, write.node, text)
    one, two, distance = met
    step = f", distance {distance}" if distance else ""
    own = is_ours(conflict.dim)
    loop = called(conflict.dim) if own else f"the loop over {called(conflict.dim)}"
    named = "" if own else f"{conflict.dim.variable} = "
    text = (
        f"not parallel: a dependence is carried by {loop}{step}: iteration "
        f"{named}{one} writes `{spelled(write)}` (line {write.node.lineno}), which iteration "
        f"{named}{two} {verb} as `{spelled(other)}` (line {other.node.lineno})"
    )
    if write.array != other.array:
        text += f"; `{write.array}` and `{other.array}` overlap (alias)"
    return Refused(CARRIED, write.node, text)


def _scattered(conflict: Conflict) -> str:
    write, other = conflict.first, conflict.second
    node = write if not write.exact else other
    verb = "write" if other.write else "read or write"
    entangled = _entangled(node)
    if entangled is not None:
        return (
            f"not parallel: `{entangled}` in `{spelled(node)}` is no sum of the loops' variables "
            f"times literals, so it is not known whether two iterations of "
            f"{called(conflict.dim)} {verb} the same cell of `{node.array}` (the dependence may "
            "be carried)"
        )
    raised = _raised(node)
    if raised is not None:
        return (
            f"not parallel: which cell `{spelled(node)}` is, depends on how often the iterations "
            f"before changed `{raised[0]}` (carried; line {raised[1]}). Each iteration has cells "
            f"of its own only where `{raised[0]}` starts at a literal and goes up with each store, "
            f"and nothing else touches `{node.array}`, or only reads what was not stored yet"
        )
    return (
        f"{INDIRECT}`{spelled(node)}` depends on data, so two "
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


__all__ = ["INDIRECT", "Dependence", "dependence", "refusal"]
