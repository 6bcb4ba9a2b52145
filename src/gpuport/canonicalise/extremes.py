"""Extremes with what belongs to them: ``if x[i] > m: m, k = x[i], i``."""

from __future__ import annotations

from dataclasses import replace

from gpuport.canonicalise.accumulation import BEYOND, FLIPPED, Accumulated, Beyond
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.totals import alone
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region, Value

Found = Value | Accumulated
#: What is not done for a point where the condition does not hold.
NOT_AHEAD = ("Store", "Update", "Wrap")


def comparison(elements: Elements, op: Op) -> Beyond | None:
    """The comparison of a key with a carried extreme; None for other comparisons."""
    if op.kind != "Compare" or op.attributes["operator"] not in BEYOND:
        return None
    symbol = op.attributes["operator"]
    left, right = op.operands
    total = elements.accumulated(right)
    if total is None:
        total, right, symbol = elements.accumulated(left), left, FLIPPED[symbol]
        left = op.operands[1]
    if total is None or not total.is_untouched:
        return None
    return Beyond(total.start, BEYOND[symbol], elements.number(left))


def guarded(elements: Elements, op: Op, arms: list[Region], yields: list[Beyond | None]) -> bool:
    """Let ``test and key > extreme`` be a comparison where the test holds.

    Parameters
    ----------
    arms : list of Region
        New arms without their terminators.
    yields : list
        The comparison that each arm gives.
    """
    beyond = yields[0]
    short = op.regions[1].terminator.operands == op.operands[:1]
    if beyond is None or not short or len(op.results) != 1:
        return False
    for arm, test in zip(arms, (beyond.test or True, False), strict=True):
        with elements.inside(arm):
            flag = test if isinstance(test, Value) else elements.const(test)
            elements.end("Yield", [flag], op.span)
    test = elements.number(op.operands[0])
    made = elements.emit("If", [test], ["bool"], op.span, tuple(arms))
    elements.numbers[op.result] = replace(beyond, test=made.result)
    return True


def changed_extreme(
    elements: Elements, op: Op, beyond: Beyond, then: list[Found], orelse: list[Found]
) -> None:
    """Let the results of an ``If`` be an extreme, and what belongs to it."""
    blocked = Blocked(f"`{beyond.start.name}` goes from one iteration to the next", op.span)
    changed: dict[Value, tuple[Value, Value]] = {}  # carried: result, and what it is then
    for result, new, old in zip(op.results, then, orelse, strict=True):
        if not isinstance(old, Accumulated) or not old.is_untouched or old.start in changed:
            raise blocked
        if isinstance(new, Value):
            changed[old.start] = result, new
        elif new != old:
            raise blocked
        else:
            elements.numbers[result] = old
    if beyond.start not in changed or not _is_same(changed[beyond.start][1], beyond.key):
        raise blocked
    companions = tuple(start for start in changed if start is not beyond.start)
    for start, (result, term) in changed.items():
        leads = start is beyond.start
        elements.numbers[result] = Accumulated(
            start,
            alone(beyond.operator, companions) if beyond.test is None else beyond.operator,
            term,
            beyond.test if leads else None,
            None if leads else beyond.start,
            companions if leads else (),
        )


def check_ahead(ops: list[Op], op: Op) -> None:
    """Refuse what may not be done for points where the condition does not hold."""
    for made in ops:
        inner = [made, *(each for region in made.regions for each in walk(region))]
        if any(each.kind in NOT_AHEAD for each in inner):
            raise Blocked("what belongs to an extreme is more than elements and numbers", op.span)


def _is_same(one: Value, other: Value) -> bool:
    """Whether two values are computed the same way, with no store between them."""
    if one is other:
        return True
    left, right = one.definition, other.definition
    if not isinstance(left, Op) or not isinstance(right, Op) or left.regions or right.regions:
        return False
    alike = left.kind == right.kind and repr(left.attributes) == repr(right.attributes)
    if not alike or len(left.operands) != len(right.operands):
        return False
    return all(_is_same(a, b) for a, b in zip(left.operands, right.operands, strict=True))
