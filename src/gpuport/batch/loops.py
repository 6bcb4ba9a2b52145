"""A ``for`` loop over items, as statements for their stacks."""

from __future__ import annotations

import ast
import re
from collections.abc import Set

from gpuport.batch.arguments import taken_apart
from gpuport.batch.body import Body, bound_by
from gpuport.batch.changes import own_copies, stored_in
from gpuport.batch.choices import choose
from gpuport.batch.extremes import kept_extremes, records_in
from gpuport.batch.groups import loop_over_stacks
from gpuport.batch.headers import enter
from gpuport.batch.records import CARRIED, FORM, Batch, Guard, Known, Refused
from gpuport.batch.scatters import alone
from gpuport.batch.scope import Region, Scope
from gpuport.batch.sums import summed
from gpuport.source.syntax import walk

_NAMES = re.compile(r"(?<![\w.])[^\W\d]\w*")


def stacked_loop(region: Region, node: ast.For, scope: Scope) -> Batch:
    """Stacked code for a loop.

    Raises
    ------
    Refused, RankNeeded
        Where there is none.
    """
    if node.orelse:
        raise Refused(FORM, node.orelse[0], "unsupported syntax: `else` of a loop")
    sums = summed(node.body)
    extremes = kept_extremes(node.body, scope.source.resolve)
    _refuse_last_item(region, node, sums | extremes)
    body = _translated(region, node, scope, sums, extremes)
    _refuse_carried(body, node)
    if scope.guard.writes or scope.guard.adds:
        # Whether these share memory with what is written is asked for too.
        scope.guard.fixed.update(scope.certain)
    retried = _is_retried(region, body, node)
    lines = body.lines
    if scope.grouped:
        if not scope.variables:
            raise Refused(FORM, node, "nothing of the items is read")
        assert scope.index is not None
        lines = list(loop_over_stacks(body, scope.index))
    arrays = body.arrays & body.appended.keys()
    return Batch(node, scope.guard, tuple(lines), retried, arrays)


def _refuse_last_item(region: Region, node: ast.For, sums: Set[str]) -> None:
    """Stacks have no last item: names of it are not there after the loop."""
    bound = {n.id for n in walk(node.target) if isinstance(n, ast.Name)} | set(bound_by(node.body))
    after = sorted((bound - sums) & region.live)
    records = records_in(node)
    if records:
        why = (
            f"`{min(records)}` is bound where an item is better than those before it: collect what"
        )
        why += " is compared, and look for the best of it after the loop, `np.argmax`"
        raise Refused(CARRIED, node, f"carried dependence: {why}")
    if after:
        raise Refused(FORM, node, f"`{after[0]}` of the last item is read after the loop")


def _translated(
    region: Region, node: ast.For, scope: Scope, sums: frozenset[str], extremes: frozenset[str]
) -> Body:
    """The statements for the stacks of what the loop goes over."""
    enter(scope, node.target, node.iter)
    if scope.grouped and scope.index is None:
        scope.index = scope.free("k")
    scope.later, scope.numbers = frozenset(bound_by(node.body)), {}
    body = Body(
        scope, arrays=region.arrays, sums=sums, extremes=extremes, moved=region.moved,
        stored=stored_in(node.body),
    )  # fmt: skip
    for names, item in scope.opening.items():
        copied = ".copy()" if body.stored else ""  # numbers of NumPy's are no views
        body.emit(f"{names} = {taken_apart(item)}{copied}")
    for name, read in region.workspaces.items():
        if name not in region.live and not scope.grouped:
            own_copies(body, name, read)
    if scope.where:
        choose(body, node, scope.where, node.body)
    body.block(node.body)
    named = [f"{counter} = {text}" for counter, text in scope.numbers.items()]
    body.lines[:0] = named
    return body


def _refuse_carried(body: Body, node: ast.For) -> None:
    """See that no iteration reads what another one leaves, and that something is left at all."""
    scope, guard = body.scope, body.scope.guard
    held = _held(guard)
    for text in guard.stacks:
        name = text.partition("[")[0]
        if name != text and name in guard.writes | guard.adds:
            why = f"carried dependence: an iteration reads items of `{name}` that others write"
            raise Refused(CARRIED, node, why)
    for name in (guard.fixed.keys() | scope.certain.keys()) & guard.writes.keys():
        why = f"carried dependence: an iteration reads parts of `{name}` that others write"
        raise Refused(CARRIED, node, why)
    alone(body, held, node)
    kept = guard.writes or guard.adds or body.appended or body.sums or body.extremes
    if not (guard.stacks or guard.items) or not kept:
        raise Refused(FORM, node, "nothing of the items is kept")
    if scope.later & held:
        raise Refused(FORM, node, "a name is read by an iteration and bound anew in it")
    if body.appended.keys() & held:
        raise Refused(FORM, node, "a list is read while it grows")


def _held(guard: Guard) -> set[str]:
    """What the stacked code reads of what was there before the loop, and names in it."""
    held = guard.stacks.keys() | guard.fixed.keys() | guard.items.keys() | guard.bounded.keys()
    parts = (*guard.stacks, *guard.items)
    return held | {name for text in parts for name in _NAMES.findall(text)}  # of `mats[:n]`


def _is_retried(region: Region, body: Body, node: ast.For) -> bool:
    """Whether the loop itself runs after a stacked call that found a matrix without result.

    What was written until then must not show: neither what callers see, nor what the loop would
    add once more.
    """
    scope, guard = body.scope, body.scope.guard
    retried = (body.visible and bool(scope.raises)) or bool(scope.uneven)
    again = body.again or (scope.grouped and body.grown)
    added_twice = (retried and again) or bool(guard.adds and scope.uneven)
    changed = (*guard.writes, *guard.adds)
    shown = scope.grouped and any(region.known.get(n, Known()).argument for n in changed)
    if added_twice or (retried and (body.late or shown)):
        why = "what is written before a matrix without result is found would show"
        raise Refused(FORM, node, why)
    return retried
