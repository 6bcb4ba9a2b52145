"""Two iterations of a loop that meet in a cell: what shows people that a conflict is one."""

from __future__ import annotations

from gpuport.loops.dependence.conflicts import Conflict
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


__all__ = ["witness"]
