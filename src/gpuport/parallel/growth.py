"""Whether whole numbers of Python's stay within 64 bits in a region.

What a loop carries may grow by a bounded number in each of its iterations, of which there are fewer
than 2**40; products have two factors at most.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from gpuport.ir.structure import Op, Region, Value

SMALL = 2**20  #: constants up to this are as good as sizes
MOST_FACTORS = 2
MOST_PARTS = 4  #: of a short sum


@dataclass(frozen=True, slots=True)
class _Growth:
    """How large a number may be: its factors that are sizes, and the carried values in it."""

    factors: int
    carried: int


def is_bounded(value: Value) -> bool:
    """Whether a value that a rewrite made is bounded so."""
    found = _growth(value)
    return found is not None and found.factors <= MOST_FACTORS and found.carried <= 1


def is_short_sum(value: Value, made_here: Container[Value]) -> bool:
    """Whether a value adds up a few numbers, none of which a loop carries."""
    return _parts(value, made_here) <= MOST_PARTS


def _parts(value: Value, made_here: Container[Value]) -> int:
    made = value.definition
    if value not in made_here:
        return 1
    if isinstance(made, Region):
        return 1 if _is_index(made, value) else MOST_PARTS + 1
    if not isinstance(made, Op) or made.kind in ("Const", "Extent", "Load"):
        return 1
    if made.kind == "Binary" and made.attributes["operator"] in ("+", "-"):
        return sum(_parts(operand, made_here) for operand in made.operands)
    return MOST_PARTS + 1


def _is_index(home: Region, value: Value) -> bool:
    owner, place = home.owner, home.parameters.index(value)
    if not isinstance(owner, Op) or owner.kind not in ("Map", "Reduce", "Scan", "For"):
        return False
    return owner.kind != "For" or (home is owner.regions[0] and place == 0)


def _growth(value: Value) -> _Growth | None:
    made = value.definition
    if isinstance(made, Region):
        return _Growth(1, 0) if _is_index(made, value) else _Growth(1, 1)
    if not isinstance(made, Op):
        return _Growth(1, 0)  # a parameter of the function
    if made.kind == "Const":
        number = made.attributes["value"]
        return _Growth(0 if abs(number) <= 1 else 1, 0) if abs(number) <= SMALL else None
    if made.kind == "Binary" and made.attributes["operator"] in ("+", "-", "*"):
        return _of_two(made)
    return _Growth(1, 0)


def _of_two(op: Op) -> _Growth | None:
    one, other = (_growth(operand) for operand in op.operands)
    if one is None or other is None:
        return None
    if op.attributes["operator"] != "*":
        return _Growth(max(one.factors, other.factors), one.carried + other.carried)
    if one.carried or other.carried:  # it would grow by a factor in each iteration
        unit = one if other.carried else other
        return _Growth(1, one.carried + other.carried) if unit == _Growth(0, 0) else None
    return _Growth(one.factors + other.factors, 0)
