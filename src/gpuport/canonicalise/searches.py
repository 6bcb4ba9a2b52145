"""Loops that are left at the first point where a condition holds: ``if c: k = i; break``."""

from __future__ import annotations

from gpuport.canonicalise.accumulation import Accumulated
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.meeting import nothing
from gpuport.canonicalise.statements import found, statement, statements
from gpuport.canonicalise.totals import Total
from gpuport.canonicalise.writer import Like
from gpuport.ir.queries import exits, walk
from gpuport.ir.structure import Op, Region, Value

Found = Value | Accumulated


def check_search(loop: Op) -> None:
    """Refuse a loop that is left in another way than by one condition.

    Raises
    ------
    Blocked
    """
    body, orelse = loop.regions
    left = list(exits(body, ("Break", "Return", "Raise")))
    plain = len(orelse.ops) == 1 and orelse.terminator.operands == orelse.parameters
    if len(left) != 1 or left[0].kind != "Break" or not plain or _leaving(body) is None:
        raise Blocked("the loop is left before its end", loop.span)
    if any(end is not body.terminator for end in exits(body, ("Continue",))):
        raise Blocked("the loop is left before its end, and goes on early", loop.span)


def _leaving(body: Region) -> Op | None:
    """The ``If`` directly in the body that leaves it in one arm, and goes on in the other."""
    for op in body.ops:
        if op.kind == "If" and sorted(r.terminator.kind for r in op.regions) == ["Break", "Yield"]:
            return op
    return None


def searched(elements: Elements, body: Region) -> list[Total]:
    """What a search carries: the values at the first point where its condition holds.

    All points are computed: there is nothing to store, and reading is asked of all of them.
    """
    leaving = _leaving(body)
    assert leaving is not None, "a search was checked before"
    place = body.ops.index(leaving)
    for op in body.ops[:place]:
        statement(elements, op)
    test = elements.number(leaving.operands[0])
    arms, given = [], {}
    for region in leaving.regions:
        with elements.inside(Region()) as arm:
            statements(elements, region)
            if region.terminator.kind == "Yield":
                _go_on(elements, leaving, region, body.ops[place + 1 : -1])
            end = body.terminator if region.terminator.kind == "Yield" else region.terminator
            given[region.terminator.kind] = [found(elements, value) for value in end.operands]
        arms.append(arm)
    if any(op.kind in ("Store", "Update") for arm in [elements.region, *arms] for op in walk(arm)):
        raise Blocked("the loop is left before its end, and stores", leaving.span)
    return _first(elements, leaving, test, arms, body, given)


def _go_on(elements: Elements, leaving: Op, region: Region, rest: list[Op]) -> None:
    """What is done where the loop is not left."""
    for result, value in zip(leaving.results, region.terminator.operands, strict=True):
        elements.numbers[result] = found(elements, value)
    for op in rest:
        statement(elements, op)


def _first(
    elements: Elements,
    leaving: Op,
    test: Value,
    arms: list[Region],
    body: Region,
    given: dict[str, list[Found]],
) -> list[Total]:
    """The values of carried ones where the loop is left, and after its end."""
    parameters = body.parameters[1:]
    ways = [
        _way(parameter, left, end)
        for parameter, left, end in zip(parameters, given["Break"], given["Yield"], strict=True)
    ]
    for arm, region in zip(arms, leaving.regions, strict=True):
        leaves = region.terminator.kind == "Break"
        values = given[region.terminator.kind]
        with elements.inside(arm):
            told = [
                v if isinstance(v, Value) else nothing(elements, p)
                for v, p in zip(values, parameters, strict=True)
            ]
            elements.end("Yield", [elements.const(leaves), *told], leaving.span)
    likes = [
        _like(elements, left, end, parameter)
        for parameter, left, end in zip(parameters, given["Break"], given["Yield"], strict=True)
    ]
    made = elements.emit("If", [test], ["bool", *likes], leaving.span, tuple(arms))
    flag, *terms = made.results
    totals = []
    for how in dict.fromkeys(ways):
        places = tuple(place for place, way in enumerate(ways) if way == how)
        totals.append(Total(how, places, (flag, *(terms[place] for place in places))))
    return totals


def _like(elements: Elements, left: Found, end: Found, parameter: Value) -> Like:
    """What a term is like: what it is where the loop is left, and at its end."""
    values = [value for value in (left, end) if isinstance(value, Value)]
    likes = [elements.like.get(value, value) for value in values]
    if len(likes) == 1 or elements.contexts_agree(*values):
        return likes[0]
    raise Blocked(f"`{parameter.name}` is a number of several types")


def _way(parameter: Value, left: Found, end: Found) -> str:
    stays = isinstance(end, Accumulated) and end.start is parameter and end.is_untouched
    if isinstance(left, Value) and stays:
        return "first where"
    if isinstance(left, Value) and isinstance(end, Value):
        return "first or last"
    raise Blocked(f"`{parameter.name}` is what iterations made before the loop is left")
