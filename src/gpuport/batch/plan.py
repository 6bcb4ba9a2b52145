"""From a loop over items to code for their stack, or to the reason why there is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from gpuport.batch.arguments import taken_apart
from gpuport.batch.body import Body, bound_by
from gpuport.batch.changes import stored_in
from gpuport.batch.choices import CHOSEN, choose, in_place, truth_of_all
from gpuport.batch.columns import collected, columns, is_array
from gpuport.batch.counting import carried
from gpuport.batch.filters import chosen_items, filtered
from gpuport.batch.guesses import items_of, likely_ranks
from gpuport.batch.headers import enter, keyed, with_keys
from gpuport.batch.helpers import helper
from gpuport.batch.records import (
    CARRIED,
    FORM,
    UNKNOWN_SHAPE,
    Batch,
    Comprehension,
    Guard,
    Known,
    RankNeeded,
    Refusal,
    Refused,
    element,
)
from gpuport.batch.scatters import alone
from gpuport.batch.scope import Region, Scope
from gpuport.batch.sums import summed
from gpuport.batch.windows import names_beside
from gpuport.source.syntax import dotted, walk

_MOST_GUESSES = 32
_NAMES = re.compile(r"(?<![\w.])[^\W\d]\w*")


def plan(region: Region) -> Batch | Refusal:
    """Stacked code for a loop, under the numbers of axes that are known or most likely.

    What is likely only is checked at run time.
    """
    pending: list[dict[str, int]] = [{}]
    furthest: Refused | None = None
    for _ in range(_MOST_GUESSES):
        if not pending:
            break
        ranks = pending.pop()
        guard = Guard()
        try:
            return _not_shadowed(region, _planned(region, ranks, guard))
        except Refused as refused:
            furthest = _further(furthest, refused)
            pending += [{**ranks, name: most + 1} for name, most in guard.bounded.items()]
        except RankNeeded as needed:
            tried = likely_ranks(region, needed.name)
            pending += [{**ranks, needed.name: rank} for rank in reversed(tried)]
    if furthest is None:
        furthest = Refused(UNKNOWN_SHAPE, region.node, "unknown type: the shapes are not known")
    where = furthest.node if hasattr(furthest.node, "lineno") else region.node  # one made for it
    return Refusal(furthest.code, where, furthest.message, region.node)


def _further(one: Refused | None, other: Refused) -> Refused:
    """The reason of the likelier guess: none of shapes, or the one further on in the loop."""
    if one is None:
        return other
    first, second = (
        (each.code != UNKNOWN_SHAPE, getattr(each.node, "lineno", 0)) for each in (one, other)
    )
    return other if second > first else one


def _not_shadowed(region: Region, made: Batch) -> Batch:
    """The stacked code, where the builtins that it calls are not the user's own names."""
    for name in set(_BUILTINS.findall(" ".join(made.lines))):
        if region.source.resolve(ast.Name(name, ast.Load())) != f"builtins.{name}":
            raise Refused(FORM, made.node, f"`{name}` is not Python's own here")
    return made


_BUILTINS = re.compile(r"(?<![\w.])(dict|enumerate|list|map|sum|zip)(?=\()")


def _planned(region: Region, ranks: Mapping[str, int], guard: Guard) -> Batch:
    scope = Scope(region.source, region.known, ranks, guard=guard)
    made = _made(region, scope)
    read = {n.id for n in walk(region.node) if isinstance(n, ast.Name) and _is_read(n)}
    for name, call in scope.mapped.items():
        if name not in read:  # the stacked code would not compute it, and not raise
            raise Refused(FORM, call, f"`{name}` is made of each item, and not read")
    return replace(made, twins=tuple(scope.twins)) if scope.twins else made


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _made(region: Region, scope: Scope) -> Batch:
    scope.grouped = any(
        known.kind in ("list", "dict")
        and items_of(region.node, name) is not None
        and not _only_stored(region.node, name)
        for name, known in region.known.items()
    )
    scope.neighbours = names_beside(region.node)
    helped = None if region.moved else helper(region.node, scope)
    if helped is not None:
        return helped
    if isinstance(region.node, ast.Call):
        raise Refused(FORM, region.node, "unsupported syntax: `map` in this form")
    if isinstance(region.node, ast.While):
        return _counted(region, region.node, scope)
    if not isinstance(region.node, ast.For):
        return _comprehension(region, region.node, scope)
    return _loop(region, region.node, scope)


def _counted(region: Region, node: ast.While, scope: Scope) -> Batch:
    """``while i < n``, as the loop over a range that does the same; then `i` is `n`."""
    loop = region.counted
    if loop is None and (name := carried(node)):
        why = f"carried dependence: a trip reads `{name}`, which the one before it bound"
        raise Refused(CARRIED, node, why)
    if loop is None:
        why = "a loop that counts by hand; `for i in range(n)` says how many items there are"
        raise Refused(FORM, node, f"unsupported syntax: {why}")
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    counter = loop.target.id
    made = _loop(replace(region, live=region.live - {counter}), loop, scope)
    after = [f"{counter} = {scope.source.segment(loop.iter.args[0])}"]
    lines = [*made.lines, *(after if counter in region.live else [])]
    return replace(made, node=node, lines=tuple(lines))


def _only_stored(node: ast.AST, name: str) -> bool:
    """Whether a loop does nothing with a name but store to its places, ``found[i] = x``."""
    parts = walk(node)
    stored = {
        id(part.value) for part in parts
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)
    }  # fmt: skip
    return all(
        id(part) in stored for part in parts
        if isinstance(part, (ast.Name, ast.Attribute)) and dotted(part) == name
    )  # fmt: skip


def _comprehension(region: Region, node: Comprehension, scope: Scope) -> Batch:
    found = _collected(region, node, scope)
    if scope.uneven:
        raise Refused(FORM, scope.uneven[0], "what it gives may differ in shape from item to item")
    return found


def _collected(region: Region, node: Comprehension, scope: Scope) -> Batch:
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise Refused(FORM, node, "unsupported syntax: several loops")
    generator = node.generators[0]
    enter(scope, generator.target, generator.iter)
    if (generator.ifs or scope.where) and not scope.grouped:
        return _conditional(region, node, scope)
    chosen = chosen_items(scope, node) if generator.ifs else ""
    if scope.opening:
        raise Refused(FORM, generator.target, "unsupported syntax: items are taken apart")
    value = element(node)
    text = collected(scope, value, region.moved, region.taken_apart)
    whole = region.made_array and is_array(scope, value)
    if not scope.grouped:
        if isinstance(node, ast.DictComp):
            text = with_keys(node, keyed(scope, generator.target, generator.iter), text)
        elif isinstance(node, ast.ListComp) and isinstance(value, ast.Tuple):
            *parts, last = columns(scope, value, region.moved)
            inner = (*(f"    {part}," for part in parts), f"    {last}")
            return Batch(node, scope.guard, ("list(zip(", *inner, "))"))
        elif isinstance(node, ast.ListComp) and not whole:
            text = f"list({text})"
        return Batch(node, scope.guard, (text,))
    index = scope.index or scope.free("k")
    pair = f"    ({index}, {text})"
    function = "array" if whole else "unstack"
    first, last = f"{{batched}}.{function}(", ")"
    if isinstance(node, ast.DictComp):
        key = keyed(scope, generator.target, generator.iter)
        if key is not None and chosen and not key[1]:
            raise Refused(FORM, node, "unsupported syntax: a condition on numbered items")
        if key is not None and chosen:
            key = key[0], filtered(scope, node, key[0])
        first, last = with_keys(node, key, f"{first}\n)").split("\n")
    over = _over_stacks(scope, index, chosen)
    return Batch(node, scope.guard, (first, pair, f"    {over}", last))


def _conditional(region: Region, node: Comprehension, scope: Scope) -> Batch:
    """``[f(x) for x in xs if g(x)]``: `f` is for the chosen ones alone."""
    generator = node.generators[0]
    if isinstance(node, ast.DictComp):
        raise Refused(FORM, node, "unsupported syntax: a condition decides for each item")
    if scope.where and generator.ifs:
        raise Refused(FORM, node, "unsupported syntax: a condition on places")
    condition = scope.where or truth_of_all(scope, generator.ifs)
    scope.chosen = CHOSEN
    for name, item in scope.bound.items():
        scope.bound[name] = replace(item, text=item.postfixed(f"[{CHOSEN}]"), tight=True)
    value = element(node)
    text = in_place(scope, collected(scope, value, region.moved), condition)
    return Batch(node, scope.guard, (f"list({text})" if isinstance(node, ast.ListComp) else text,))


def _over_stacks(scope: Scope, index: str, items: str = "") -> str:
    """``for k, x in batched.stacks(xs)``, or of these items of the lists."""
    names = ", ".join([index, *(v for variables in scope.variables.values() for v in variables)])
    return f"for {names} in {{batched}}.stacks({items or ', '.join(scope.variables)})"


def _loop(region: Region, node: ast.For, scope: Scope) -> Batch:
    if node.orelse:
        raise Refused(FORM, node.orelse[0], "unsupported syntax: `else` of a loop")
    bound = {n.id for n in walk(node.target) if isinstance(n, ast.Name)}
    bound |= set(bound_by(node.body))
    sums = summed(node.body)
    after = sorted((bound - sums) & region.live)
    if after:
        raise Refused(FORM, node, f"`{after[0]}` of the last item is read after the loop")
    enter(scope, node.target, node.iter)
    if scope.grouped and scope.index is None:
        scope.index = scope.free("k")
    scope.later = frozenset(bound_by(node.body))
    body = Body(
        scope, arrays=region.arrays, sums=sums, moved=region.moved, stored=stored_in(node.body)
    )
    for names, item in scope.opening.items():
        copied = ".copy()" if body.stored else ""  # numbers of NumPy's are no views
        body.emit(f"{names} = {taken_apart(item)}{copied}")
    if scope.where:
        choose(body, node, scope.where, node.body)
    body.block(node.body)
    guard = scope.guard
    held = guard.stacks.keys() | guard.fixed.keys() | guard.items.keys() | guard.bounded.keys()
    parts = (*guard.stacks, *guard.items)
    held |= {name for text in parts for name in _NAMES.findall(text)}  # of `mats[:n]`
    for text in guard.stacks:
        name = text.partition("[")[0]
        if name != text and name in guard.writes | guard.adds:
            why = f"carried dependence: an iteration reads items of `{name}` that others write"
            raise Refused(CARRIED, node, why)
    alone(body, held, node)
    kept = guard.writes or guard.adds or body.appended or sums
    if not (guard.stacks or guard.items) or not kept:
        raise Refused(FORM, node, "nothing of the items is kept")
    if scope.later & held:
        raise Refused(FORM, node, "a name is read by an iteration and bound anew in it")
    if (
        guard.writes or guard.adds
    ):  # whether these share memory with what is written is asked for too
        guard.fixed.update(scope.certain)
    if body.appended.keys() & held:
        raise Refused(FORM, node, "a list is read while it grows")
    retried = (body.visible and bool(scope.raises)) or bool(scope.uneven)
    shown = any(region.known.get(n, Known()).argument for n in (*guard.writes, *guard.adds))
    again = body.again or (scope.grouped and body.grown)  # the loop would add once more
    twice = (retried and again) or bool(guard.adds and scope.uneven)
    if twice or (retried and (body.late or (scope.grouped and shown))):
        raise Refused(
            FORM, node, "what is written before a matrix without result is found would show"
        )
    if not scope.grouped:
        made = body.arrays & body.appended.keys()
        return Batch(node, scope.guard, tuple(body.lines), retried, made)
    assert scope.index is not None
    if not scope.variables:
        raise Refused(FORM, node, "nothing of the items is read")
    lines = [f"{stacks} = []" for stacks in body.appended.values()]
    lines.append(f"{_over_stacks(scope, scope.index)}:")
    lines += [f"    {line}" for line in body.lines]
    for name, stacks in body.appended.items():
        if name in body.keyed and scope.key is not None:
            lines.append(f"{name}.update(zip({scope.key[1]}, {{batched}}.unstack({stacks})))")
        elif name in body.numbered:
            lines.append(f"{name}.update(enumerate({{batched}}.unstack({stacks})))")
        elif name in body.arrays:
            lines.append(f"{name} = {{batched}}.array({stacks})")
        else:
            lines.append(f"{name}.extend({{batched}}.unstack({stacks}))")
    return Batch(node, guard, tuple(lines), retried, body.arrays & body.appended.keys())
