"""Iterations that go on early, ``if c: continue``, as iterations whose rest is the other arm."""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.facts.contexts import Context
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Op, Region
from gpuport.ir.types import UNKNOWN, join


def straighten(function: Function, contexts: Iterable[Context], loop: Op) -> int:
    """Put what follows ``if c: continue`` into its other arm; how often that was done.

    What an iteration hands on then meets at the end of an ``If``, as it does without ``continue``.
    A loop that hands on nothing stays: leaving a point out needs no value.
    """
    known, count = tuple(contexts), 0
    region = loop.regions[0]
    while loop.results:
        op = next((op for op in region.ops if _goes_on(op)), None)
        if op is None:
            break
        region = _straightened(function, known, op, region)
        count += 1
    return count


def _goes_on(op: Op) -> bool:
    return op.kind == "If" and sorted(r.terminator.kind for r in op.regions) == [
        "Continue",
        "Yield",
    ]


def _straightened(
    function: Function, contexts: tuple[Context, ...], op: Op, region: Region
) -> Region:
    """Move the rest of a region into the arm that does not go on; gives that arm."""
    early, stays = sorted(op.regions, key=lambda arm: arm.terminator.kind)
    place = region.ops.index(op)
    rest, end = region.ops[place + 1 : -1], region.terminator
    given = dict(zip(op.results, stays.terminator.operands, strict=True))
    early.terminator.kind = "Yield"
    stays.ops[-1:] = [*rest, Op("Yield", list(end.operands), {}, [], [], end.span, stays)]
    for moved in rest:
        moved.parent = stays
    for inner in walk(stays):
        inner.operands = [given.get(value, value) for value in inner.operands]
    op.results = [function.fresh(value.name, op) for value in end.operands]
    for context in contexts:
        for result, *ways in zip(
            op.results, early.terminator.operands, stays.terminator.operands, strict=True
        ):
            one, other = (context.types.get(way, UNKNOWN) for way in ways)
            context.types[result] = join(one, other)
    end.operands = list(op.results)
    region.ops[place + 1 :] = [end]
    return stays
