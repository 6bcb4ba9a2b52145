"""Filters of a few states: loops that carry small arrays, as the text of the program shows."""

from __future__ import annotations

import ast
from dataclasses import replace
from math import prod

from gpuport.analysis.interpretation.unit import Unit
from gpuport.parallel.items.records import CARRIED, Refusal
from gpuport.rules.stacking import stacking
from gpuport.source.carried import left_over
from gpuport.source.syntax import walk

_SMALL = 32 * 32
"""Elements up to which an array is small beside the launch of a kernel for it."""


def with_size(unit: Unit, refusal: Refusal) -> Refusal:
    """The reason for a loop that carries something, with its size where that is small.

    Each operation of an iteration is a launch of its own, and none can begin before the one before
    it has ended: of a few elements NumPy makes less work.
    """
    if refusal.code != CARRIED or not isinstance(refusal.loop, ast.For):
        return refusal
    sizes = {name: _made_with(unit, name, refusal.loop) for name in left_over(refusal.loop.body)}
    known = {name: size for name, size in sizes.items() if size is not None}
    if not known or max(known.values()) > _SMALL:
        return refusal
    name = max(known, key=lambda one: known[one])
    hint = (
        f"; `{name}` has {known[name]} elements, fewer than launches of their own are worth: "
        "`# gpuport: skip` on the line of the `def` keeps such a loop on the host"
    )
    return replace(refusal, message=refusal.message + hint)


def _made_with(unit: Unit, name: str, loop: ast.For) -> int | None:
    """How many elements the array has that a name is bound to before a loop, once."""
    inside = {id(part) for part in walk(loop)}
    made = [
        part.value
        for part in walk(unit.node)
        if isinstance(part, ast.Assign) and id(part) not in inside
        and any(isinstance(t, ast.Name) and t.id == name for t in part.targets)
    ]  # fmt: skip
    calls = [part for part in walk(made[0]) if isinstance(part, ast.Call)] if len(made) == 1 else []
    return _elements(unit, calls[0]) if len(calls) == 1 else None


def _elements(unit: Unit, call: ast.Call) -> int | None:
    """Of ``np.zeros((2, 2))``, ``np.eye(4)``: how many elements it makes."""
    form = stacking().forms.get(unit.scope.resolve(call.func) or "")
    shape = call.args[0] if call.args else None
    lengths = shape.elts if isinstance(shape, (ast.Tuple, ast.List)) else [shape]
    values = [one.value for one in lengths if isinstance(one, ast.Constant)]
    sizes = [value for value in values if type(value) is int]
    square = form == "identity"
    if not (square or form == "created") or len(sizes) != len(lengths):
        return None
    if square and (len(call.args) > 1 or call.keywords):
        return None
    return prod(sizes) ** (2 if square else 1)


__all__ = ["with_size"]
