"""Sums at places that the items name: ``matrix[np.ix_(dofs, dofs)] += element``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.batch.arguments import array, index_list, of_rank
from gpuport.batch.expressions import translate
from gpuport.batch.records import CARRIED, FORM, UNKNOWN_SHAPE, Item, Known, Refused
from gpuport.batch.scope import Scope
from gpuport.rules.stacking import stacking

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def scattered(body: Body, node: ast.AugAssign) -> bool:
    """``out[places] += value``, where the items of another array are the places.

    Returns
    -------
    bool
        False where the places are not of this kind; then nothing has been added to the body.

    Raises
    ------
    Refused
        Where what is added is not followed.
    """
    scope, target = body.scope, node.target
    assert isinstance(target, ast.Subscript)
    name = scope.outer(target.value)
    if name is None or not isinstance(node.op, (ast.Add, ast.Sub)):
        return False
    found = _places(scope, target)
    if found is None:
        return False
    if scope.known.get(name, Known()).kind not in ("array", "unknown"):
        raise Refused(FORM, target, f"it is not known that `{name}` is an array")
    places, outer, axes = found
    item = array(scope, node.value, translate(scope, node.value))
    rank = scope.ranks.get(name, scope.known.get(name, Known()).rank)
    if rank is not None and item.rank > axes + rank - len(places):
        raise Refused(UNKNOWN_SHAPE, target, f"an item of `{name}` has too few axes")
    value = _stack(item)
    if name in scope.guard.adds or body.depth:
        scope.guard.floating[name] = None
    scope.guard.adds[name] = None
    body.shown(name)
    body.grown = True
    where = places[0] if len(places) == 1 else f"({', '.join(places)})"
    meant = ", outer=True" if outer else ""
    meant += ", subtract=True" if isinstance(node.op, ast.Sub) else ""
    body.emit(f"{{batched}}.add_at({name}, {where}, {value}{meant})")
    return True


def _places(scope: Scope, target: ast.Subscript) -> tuple[list[str], bool, int] | None:
    """The texts of the indices, whether they are meant as by ``np.ix_``, and the axes of all."""
    call = target.slice
    outer, indices = False, index_list(call)
    if isinstance(call, ast.Call):
        outer = scope.source.resolve(call.func) in stacking().open_meshes
        indices = call.args if outer else indices
    if not indices or not all(map(_is_index, indices)) or any(_counts(scope, i) for i in indices):
        return None
    items = [array(scope, index, translate(scope, index)) for index in indices]
    if not any(item.stacked for item in items):
        return None
    if outer:
        for index, item in zip(indices, items, strict=True):
            of_rank(scope, index, item, 1)
    axes = len(items) if outer else max(item.rank for item in items)
    return [_stack(item) for item in items], outer, axes


def _is_index(node: ast.expr) -> bool:
    """Whether this is neither a slice, nor a new axis, nor the rest of the axes."""
    return not isinstance(node, (ast.Slice, ast.Starred)) and not (
        isinstance(node, ast.Constant) and not isinstance(node.value, int)
    )


def _counts(scope: Scope, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == scope.index


def _stack(item: Item) -> str:
    """A stack, of one item where that is the same for all; a number stays one."""
    return item.text if item.stacked or not item.rank else item.postfixed("[None]")


def alone(body: Body, held: set[str], node: ast.AST) -> None:
    """See that nothing else is done with what items add to at places of theirs."""
    for name in body.scope.guard.adds:
        if name in held or name in body.scope.certain or name in body.scope.guard.writes:
            why = f"carried dependence: `{name}` is read by an iteration and added to by others"
            raise Refused(CARRIED, node, why)


__all__ = ["alone", "scattered"]
