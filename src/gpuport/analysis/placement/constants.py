"""Parts of arrays of the module that a copy of the whole has as well."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit


def is_part_of_constant(unit: Unit, node: ast.Subscript) -> bool:
    """Whether it is a part of an array of the module, ``STENCIL[0]`` or ``STENCIL[:, k]``.

    What a module holds is small beside what a program works on, and a copy of all of it costs no
    more than one of a part. The places are written out or counted by a loop: another index may be
    an array, which goes beyond the end on one side and raises on the other.
    """
    scope, root = unit.scope, unit.project.root
    named = node.value
    if not isinstance(named, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    if scope is root or scope.owner(named.id) is not root:
        return False
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return all(_is_place(unit, place) for place in places)


def _is_place(unit: Unit, place: ast.expr) -> bool:
    if isinstance(place, ast.Slice):
        ends = (place.lower, place.upper, place.step)
        return all(_is_place(unit, end) for end in ends if end is not None)
    if isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub):
        place = place.operand
    if isinstance(place, ast.Constant):
        return place.value is None or place.value is ... or type(place.value) is int
    return isinstance(place, ast.Name) and _is_counted(unit, place.id)


def _is_counted(unit: Unit, name: str) -> bool:
    """Whether a name is bound by a loop over a range, and by nothing else."""
    if unit.scope.bound.get(name) != 1:
        return False
    loops = (one for one in ast.walk(unit.node) if isinstance(one, ast.For))
    return any(
        isinstance(loop.target, ast.Name) and loop.target.id == name
        and isinstance(loop.iter, ast.Call)
        and unit.scope.resolve(loop.iter.func) == "builtins.range"
        for loop in loops
    )  # fmt: skip


__all__ = ["is_part_of_constant"]
