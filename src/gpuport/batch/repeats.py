"""Loops within the body that run as often for every item: they stay, around stacked statements."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.batch.arguments import fixed, spliced
from gpuport.batch.changes import of_others
from gpuport.batch.rebinding import as_own
from gpuport.batch.records import CARRIED, FORM, Item, Refused

if TYPE_CHECKING:
    from gpuport.batch.body import Body


def repeated(body: Body, node: ast.For) -> None:
    """``for k in range(n): ...`` within the loop, for all items at once.

    Raises
    ------
    Refused
        Where the number of trips differs from item to item, or what an iteration hands on to the
        next one does not keep its axes.
    """
    from gpuport.batch.body import bound_by

    scope, call, counter = body.scope, node.iter, node.target
    if not (
        isinstance(call, ast.Call)
        and isinstance(counter, ast.Name)
        and not (node.orelse or call.keywords)
        and scope.source.resolve(call.func) == "builtins.range"
    ):
        raise Refused(
            FORM, node, f"unsupported syntax: another loop stands in it (line {node.lineno})"
        )
    trips = spliced(scope, call, [(one, fixed(scope, one)) for one in call.args])
    changed = [name for name in dict.fromkeys(bound_by(node.body)) if name not in body.sums]
    for name in changed:
        as_own(body, name, node)
        _for_each(body, name)
    before = {name: scope.bound[name] for name in changed if name in scope.bound}
    for name, item in before.items():
        scope.bound[name] = replace(item, whole=False, factors=None)
    scope.bound[counter.id] = Item(counter.id, 0, stacked=False, tight=True)
    body.emit(f"for {counter.id} in {trips}:")
    shown, raising, appended = body.visible, len(scope.raises), set(body.appended)
    chosen, picked, depth = scope.chosen, scope.picked, body.depth
    body.depth += 1
    body.block(node.body)
    scope.chosen, scope.picked, body.depth = chosen, picked, depth
    if body.appended.keys() - appended:
        raise Refused(FORM, node, "a list grows in a loop within the loop")
    body.late |= body.visible and len(scope.raises) > raising and not (shown and not raising)
    for name in changed:
        _kept(body, node, name, before.get(name))


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
