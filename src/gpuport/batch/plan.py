"""From a loop over items to code for their stack, or to the reason why there is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from gpuport.batch.comprehensions import stacked_comprehension
from gpuport.batch.counting import carried
from gpuport.batch.groups import goes_over_lists
from gpuport.batch.guesses import likely_ranks
from gpuport.batch.helpers import helper
from gpuport.batch.loops import stacked_loop
from gpuport.batch.records import (
    CARRIED,
    FORM,
    UNKNOWN_SHAPE,
    Batch,
    Guard,
    RankNeeded,
    Refusal,
    Refused,
)
from gpuport.batch.scope import Region, Scope
from gpuport.batch.windows import names_beside
from gpuport.source.syntax import walk

_MOST_GUESSES = 32


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
    scope.grouped = goes_over_lists(region)
    scope.neighbours = names_beside(region.node)
    helped = None if region.moved else helper(region.node, scope)
    if helped is not None:
        return helped
    if isinstance(region.node, ast.Call):
        raise Refused(FORM, region.node, "unsupported syntax: `map` in this form")
    if isinstance(region.node, ast.While):
        return _counted(region, region.node, scope)
    if not isinstance(region.node, ast.For):
        return stacked_comprehension(region, region.node, scope)
    return stacked_loop(region, region.node, scope)


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
    made = stacked_loop(replace(region, live=region.live - {counter}), loop, scope)
    after = [f"{counter} = {scope.source.segment(loop.iter.args[0])}"]
    lines = [*made.lines, *(after if counter in region.live else [])]
    return replace(made, node=node, lines=tuple(lines))
