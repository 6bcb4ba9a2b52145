"""What a loop carries, as reductions of a map: which values, how, and with which terms."""

from __future__ import annotations

from dataclasses import dataclass

from gpuport.canonicalise.accumulation import ALONE, Accumulated
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.ir.reductions import TESTED, Reduction
from gpuport.ir.structure import Op, Region, Value


@dataclass(frozen=True, slots=True)
class Total:
    """Carried values that are put together as one.

    Attributes
    ----------
    how : str
    places : tuple of int
        Which of the carried values they are.
    terms : tuple of Value
        What a point gives for them.
    """

    how: str
    places: tuple[int, ...]
    terms: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """How the values that a map yields are put together, and with what they begin.

    ``program`` are the program's values that these are; ``results`` are arrays that the map fills
    beside them.
    """

    reductions: tuple[Reduction, ...] = ()
    starts: tuple[Value, ...] = ()
    program: tuple[Value, ...] = ()
    results: tuple[tuple[Value, Value], ...] = ()


def totals_of(elements: Elements, loop: Op, found: list[Total]) -> Totals:
    """Totals of what a loop carries; they come in the order of the reductions."""
    places = [place for total in found for place in total.places]
    return Totals(
        tuple(Reduction(total.how, len(total.places)) for total in found),
        tuple(elements.number(loop.operands[1 + place]) for place in places),
        tuple(loop.results[place] for place in places),
    )


def carried_totals(elements: Elements, region: Region) -> list[Total]:
    """How each carried value of an iteration is put together, and with what."""
    parameters = region.parameters[1:]
    ends = [elements.accumulated(value) for value in region.terminator.operands]
    found: list[Total] = []
    for place, (parameter, total) in enumerate(zip(parameters, ends, strict=True)):
        if total is None:  # set anew in each iteration
            value = elements.number(region.terminator.operands[place])
            found.append(Total("last", (place,), (value,)))
        elif total.start is not parameter or total.operator is None or total.term is None:
            raise Blocked(f"`{parameter.name}` goes from one iteration to the next")
        elif total.leader is None:
            found.append(_with_companions(elements, place, total, parameters, ends))
        elif not _belongs(total, parameters, ends):
            raise Blocked(f"`{parameter.name}` goes from one iteration to the next")
    return found


def _belongs(total: Accumulated, parameters: list[Value], ends: list[Accumulated | None]) -> bool:
    """Whether the extreme that a value belongs to is there, and knows of it."""
    leaders = [end for end in ends if end is not None and end.start is total.leader]
    return total.leader in parameters and any(total.start in end.companions for end in leaders)


def _with_companions(
    elements: Elements,
    place: int,
    total: Accumulated,
    parameters: list[Value],
    ends: list[Accumulated | None],
) -> Total:
    assert total.operator is not None
    assert total.term is not None
    if total.operator not in TESTED:
        return Total(total.operator, (place,), (total.term,))
    places, terms = [place], [total.test or elements.const(True), total.term]
    for companion in total.companions:
        at = parameters.index(companion)
        end = ends[at]
        if end is None or end.leader is not total.start or end.term is None:
            raise Blocked(f"`{companion.name}` goes from one iteration to the next")
        places.append(at)
        terms.append(end.term)
    return Total(total.operator, tuple(places), tuple(terms))


def alone(operator: str, companions: tuple[Value, ...]) -> str:
    """The plain extreme that one with nothing beside it is."""
    return operator if companions else ALONE.get(operator, operator)
