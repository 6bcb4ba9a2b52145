"""A comprehension over items, as one expression for their stacks."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.batch.choices import CHOSEN, in_place, truth_of_all
from gpuport.batch.columns import collected, columns, is_array
from gpuport.batch.filters import chosen_items, filtered
from gpuport.batch.groups import over_stacks
from gpuport.batch.headers import enter, keyed, with_keys
from gpuport.batch.records import FORM, Batch, Comprehension, Refused, element
from gpuport.batch.scope import Region, Scope


def stacked_comprehension(region: Region, node: Comprehension, scope: Scope) -> Batch:
    """Stacked code for a comprehension.

    Raises
    ------
    Refused, RankNeeded
        Where there is none.
    """
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
    text = collected(scope, element(node), region.moved, region.taken_apart)
    whole = region.made_array and is_array(scope, element(node))
    if scope.grouped:
        lines = _of_groups(node, scope, text, chosen, whole=whole)
    else:
        lines = _of_one_stack(region, node, scope, text, whole=whole)
    return Batch(node, scope.guard, lines)


def _of_one_stack(
    region: Region, node: Comprehension, scope: Scope, text: str, *, whole: bool
) -> tuple[str, ...]:
    """The items of the stack that `text` computes; or the stack, where a `whole` array is made."""
    value, generator = element(node), node.generators[0]
    if isinstance(node, ast.DictComp):
        return (with_keys(node, keyed(scope, generator.target, generator.iter), text),)
    if isinstance(node, ast.ListComp) and isinstance(value, ast.Tuple):
        *parts, last = columns(scope, value, region.moved)
        return ("list(zip(", *(f"    {part}," for part in parts), f"    {last}", "))")
    return (f"list({text})" if isinstance(node, ast.ListComp) and not whole else text,)


def _of_groups(
    node: Comprehension, scope: Scope, text: str, chosen: str, *, whole: bool
) -> tuple[str, ...]:
    """The items of all stacks, which `text` computes for one, in the order of the lists."""
    index = scope.index or scope.free("k")
    function = "array" if whole else "unstack"
    first, last = f"{{batched}}.{function}(", ")"
    if isinstance(node, ast.DictComp):
        generator = node.generators[0]
        key = keyed(scope, generator.target, generator.iter)
        if key is not None and chosen and not key[1]:
            raise Refused(FORM, node, "unsupported syntax: a condition on numbered items")
        if key is not None and chosen:
            key = key[0], filtered(scope, node, key[0])
        first, last = with_keys(node, key, f"{first}\n)").split("\n")
    return (first, f"    ({index}, {text})", f"    {over_stacks(scope, index, chosen)}", last)


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
