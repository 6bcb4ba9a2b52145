"""Remove what nothing needs: carried values, results and pure operations.

Lowering carries every name that a loop assigns. What is assigned anew before each use and not read
after the loop is private to an iteration: after this pass it is no carried value any more, and what
is still carried is a recurrence or a last value. It is dead code elimination that starts from what
is needed (Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control
Dependence Graph", TOPLAS 13(4), 1991, section 7.1), since names of nested loops are handed around
in a circle that counting uses would never break.
"""

from __future__ import annotations

from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import LEAVES_FUNCTION, arms, carried, mentioned, tails, walk
from gpuport.ir.structure import Function, Op, Region, Value

LOOPS = ("For", "While")
BRANCHES = ("If", "Try", "With")


def prune(function: Function) -> None:
    """Remove from a function, in place, what nothing needs."""
    needed = _needed(function)
    for op in list(walk(function.body)):
        if op.kind in LOOPS:
            _prune_loop(op, needed)
        elif op.kind in BRANCHES:
            _prune_results(op, needed)
        elif KINDS[op.kind].effect is Effect.PURE and needed.isdisjoint(op.results):
            op.parent.ops.remove(op)


def _needed(function: Function) -> set[Value]:
    """All values on which something observable rests."""
    sources: dict[Value, list[Value]] = {}
    wanted: list[Value] = []
    for op in walk(function.body):
        if op.kind in LOOPS:
            wanted += _sources_of_loop(op, sources)
        elif op.kind in BRANCHES:
            wanted += _sources_of_branch(op, sources)
        elif KINDS[op.kind].effect is Effect.PURE:
            sources |= dict.fromkeys(op.results, op.operands)
        elif KINDS[op.kind].effect is not Effect.EXIT or op.kind in LEAVES_FUNCTION:
            wanted += [*op.operands, *mentioned(op)]
            wanted += [value for region in op.regions for value in _yielded(region)]
    needed: set[Value] = set()
    while wanted:
        value = wanted.pop()
        if value not in needed:
            needed.add(value)
            wanted += sources.get(value, ())
    return needed


def _yielded(region: Region) -> list[Value]:
    return region.terminator.operands if region.terminator.kind == "Yield" else []


def _sources_of_loop(op: Op, sources: dict[Value, list[Value]]) -> list[Value]:
    """Note what carried values are made of; a carried value stays as a whole or goes as a whole."""
    first = 1 if op.kind == "For" else 0
    ends = tails(op)
    for place in range(len(op.results)):
        handed = [op.operands[first + place], *(end.operands[place + skip] for end, skip in ends)]
        sources |= dict.fromkeys(carried(op, place), handed)
    test = op.regions[0].terminator
    decides = [test.operands[0]] if op.kind == "While" and test.kind == "Yield" else []
    return [*op.operands[:first], *decides]


def _sources_of_branch(op: Op, sources: dict[Value, list[Value]]) -> list[Value]:
    """Note what results of arms are made of; what other regions yield is needed."""
    giving = arms(op)
    ends = [region.terminator for region in giving if region.terminator.kind == "Yield"]
    for place, result in enumerate(op.results):
        sources[result] = [end.operands[place] for end in ends]
    wanted = list(op.operands)
    for region in op.regions:
        if not any(region is arm for arm in giving):
            wanted += _yielded(region)
    return wanted


def _prune_loop(op: Op, needed: set[Value]) -> None:
    first = 1 if op.kind == "For" else 0
    ends = tails(op)
    for place in reversed(range(len(op.results))):
        if not needed.isdisjoint(carried(op, place)):
            continue
        del op.results[place], op.operands[first + place]
        del op.regions[-2].parameters[first + place], op.regions[-1].parameters[place]
        if op.kind == "While":
            del op.regions[0].parameters[place]
        for end, skip in ends:
            del end.operands[place + skip]


def _prune_results(op: Op, needed: set[Value]) -> None:
    ends = [region.terminator for region in arms(op) if region.terminator.kind == "Yield"]
    for place in reversed(range(len(op.results))):
        if op.results[place] not in needed:
            del op.results[place]
            for end in ends:
                del end.operands[place]
