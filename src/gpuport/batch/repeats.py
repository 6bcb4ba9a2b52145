"""Loops within the body that run as often for every item: they stay, around stacked statements."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.batch.arguments import fixed, one_array, spliced
from gpuport.batch.changes import of_others
from gpuport.batch.rebinding import as_own
from gpuport.batch.records import CARRIED, FORM, Item, Refused

if TYPE_CHECKING:
    from gpuport.batch.body import Body
    from gpuport.batch.scope import Scope


def repeated(body: Body, node: ast.For) -> None:
    """``for k in range(n): ...`` within the loop, for all items at once.

    Raises
    ------
    Refused
        Where the number of trips differs from item to item, or what an iteration hands on to the
        next one does not keep its axes.
    """
    from gpuport.batch.body import bound_by

    scope = body.scope
    counter, trips, own = _head(scope, node)
    grown = body.sums | body.extremes
    changed = [name for name in dict.fromkeys(bound_by(node.body)) if name not in grown]
    for name in changed:
        as_own(body, name, node)
        _for_each(body, name)
    before = {name: scope.bound[name] for name in changed if name in scope.bound}
    for name, item in before.items():
        scope.bound[name] = replace(item, whole=False, factors=None)
    scope.bound[counter] = Item(counter, 0, stacked=False, tight=True)
    scope.bound.update(own)
    body.emit(f"for {counter} in {trips}:")
    shown, raising, appended = body.visible, len(scope.raises), set(body.appended)
    chosen, picked, depth = scope.chosen, scope.picked, body.depth
    body.depth += 1
    body.block(node.body)
    scope.chosen, scope.picked, body.depth = chosen, picked, depth
    if body.appended.keys() - appended:
        raise Refused(FORM, node, "a list grows in a loop within the loop")
    body.late |= body.visible and len(scope.raises) > raising and not (shown and not raising)
    body.again |= body.grown and len(scope.raises) > raising
    for name in changed:
        _kept(body, node, name, before.get(name))


def _head(scope: Scope, node: ast.For) -> tuple[str, str, dict[str, Item]]:
    """The counter of a loop within the loop, how often it runs, and what else it binds.

    It counts, ``for k in range(n)``, or goes through the items of an item, ``for dof in dofs``,
    with their numbers or without.
    """
    call, target, counter = node.iter, node.target, None
    path = scope.source.resolve(call.func) if isinstance(call, ast.Call) else None
    other = Refused(FORM, node, "unsupported syntax: another loop stands in it")
    if node.orelse or (isinstance(call, ast.Call) and call.keywords):
        raise other
    if path == "builtins.range" and isinstance(call, ast.Call) and isinstance(target, ast.Name):
        return target.id, spliced(scope, call, [(one, fixed(scope, one)) for one in call.args]), {}
    if path == "builtins.enumerate" and isinstance(call, ast.Call) and len(call.args) == 1:
        numbered = isinstance(target, ast.Tuple) and len(target.elts) == 2
        if not numbered or not isinstance(target, ast.Tuple):
            raise other
        (counter, target), call = target.elts, call.args[0]
    if not isinstance(target, ast.Name) or not isinstance(counter, ast.Name | None):
        raise other
    item = one_array(scope, call)
    if not item.stacked or not item.rank or not isinstance(call, (ast.Name, ast.Subscript)):
        raise other
    name = counter.id if counter is not None else scope.free("k")
    part = replace(item, text=item.postfixed(f"[:, {name}]"), rank=item.rank - 1, tight=True,
                   column="", factors=None)  # fmt: skip
    return name, f"range({item.postfixed('.shape[1]')})", {target.id: part}


def _for_each(body: Body, name: str) -> None:
    """What is the same for all items before the loop, and is bound anew in it, for each item."""
    item = body.scope.bound.get(name)
    if (
        item is None
        or item.stacked
        or not item.rank
        or of_others(item)
        or item.results
        or item.sizes
    ):
        return
    body.emit(f"{name} = {{cupy}}.repeat({name}[None], {body.scope.count()}, axis=0)")
    body.scope.bound[name] = replace(item, stacked=True)


def _kept(body: Body, node: ast.For, name: str, before: Item | None) -> None:
    """See that a name holds after an iteration what the next one takes it for."""
    scope = body.scope
    after = scope.bound.get(name)
    if after is None or body.made.get(name, "") != scope.chosen:
        raise Refused(CARRIED, node, f"`{name}` is bound under a condition in a loop within")
    if before is None:
        return
    same = (after.rank, after.stacked, len(after.results), after.sizes) == (
        before.rank, before.stacked, len(before.results), before.sizes
    )  # fmt: skip
    if not same or after.views - before.views:
        raise Refused(CARRIED, node, f"`{name}` changes its axes in a loop within")
