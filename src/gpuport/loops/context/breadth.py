"""For how many types of the numbers from outside a kernel is right at once."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from gpuport.parallel.ranges import Alternative, Value
from gpuport.parallel.typing import PYTHON, Type


class Breadth(Enum):
    """For how many types of the numbers from outside a kernel is tried to be right at once."""

    WIDE = "wide"
    FLOATING = "floating"
    MEDIUM = "medium"
    NARROW = "narrow"


_SMALL = 2**24
_TYPES: dict[Breadth, dict[str, tuple[Type, ...]]] = {
    Breadth.WIDE: {
        "float": (PYTHON["int"], PYTHON["float"], Type("float64")),
        "int": (PYTHON["int"], Type("int64")),
    },
    Breadth.FLOATING: {
        "float": (PYTHON["float"], Type("float64")),
        "int": (PYTHON["int"], Type("int64")),
    },
    Breadth.MEDIUM: {"float": (PYTHON["int"], PYTHON["float"])},
    Breadth.NARROW: {},
}


def accepted(value: Value) -> str:
    """The types of a number for which a kernel is right, joined by ``|``.

    ``int24`` is a Python integer of at most 2**24, beside ``float``.
    """
    names = sorted(map(str, value.types))
    if "float" in names or "float64" in names:
        names = ["int24" if name == "int" else name for name in names]
    return "|".join(names)


def broadened(value: Value, breadth: Breadth) -> Value:
    """A number of one type from outside, for all the types that it may as well be of."""
    if value.constant is not None or len(value.types) != 1:
        return value
    (type_,) = value.types
    types = _TYPES[breadth].get(str(type_))
    if types is None:
        return value
    alternatives = frozenset(Alternative(t) for t in types)
    if value.whole:
        return replace(value, alternatives=alternatives)
    return Value(alternatives, -_SMALL, _SMALL)
