"""Loops through what is written out: how often they run, and of which keys theirs is one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.source.trips import WITH_ITERABLE_FIRST, count_of
from gpuport.source.writtenitems import Heads, bound_once

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

_FEW = 8
"""Trips up to which work on single elements is no work on an array element by element."""


def few_trips(unit: Unit, iterable: ast.expr) -> int:
    """How often a loop runs that goes through a few things written out, in its head or before it.

    Returns
    -------
    int
        0 where they are not written out, or are many.
    """
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
        path = f"builtins.{iterable.func.id}"
        builtin = unit.scope.owner(iterable.func.id) is None
        if path in WITH_ITERABLE_FIRST and builtin and iterable.args:
            known = [few_trips(unit, one) for one in iterable.args]
            return min(filter(None, known), default=0)
    if isinstance(iterable, ast.Name):
        bound = bound_once(unit.scope.owner(iterable.id), iterable.id)
        if bound is None or iterable.id in unit.project.changed.directly:
            return 0
        iterable = bound
    count = count_of(iterable)
    return count if count is not None and count <= _FEW else 0


def keys_gone_through(unit: Unit, index: ast.expr) -> list[str]:
    """The texts of which an index is one, in a loop through a display of them; none of others."""
    if not isinstance(index, ast.Name) or _is_others(unit, index.id):
        return []
    heads = Heads(unit.scope, unit.project.changed.names)
    for names, node in zip(reversed(unit.loops), reversed(unit.loop_nodes), strict=True):
        if index.id in names:
            return heads.keys(index.id, node, alone=len(names) == 1)
    return []


def _is_others(unit: Unit, name: str) -> bool:
    """Whether functions bind a name that is not theirs: what is called may change it."""
    return any(name in scope.outside for scope in unit.project.inner_scopes())


__all__ = ["few_trips", "keys_gone_through"]
