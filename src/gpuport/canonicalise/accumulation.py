"""Values that one iteration hands to the next by putting something together with them.

While an iteration is rewritten, a carried value is an `Accumulated`: nothing but what is put
together with it is known. Reading it in any other way blocks, for its value hangs on the order of
iterations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gpuport.canonicalise.blocked import Blocked
from gpuport.ir.structure import Value


@dataclass(frozen=True, slots=True)
class Accumulated:
    """A carried value, and what an iteration has put together with it so far.

    Attributes
    ----------
    start : Value
        The carried value of the program.
    operator : str or None
        How: a name of a reduction. None where nothing was put together with it.
    term : Value or None
        What.
    test : Value or None
        Whether it is, where the operator takes a test.
    leader : Value or None
        The extreme that it belongs to: it changes where that does.
    companions : tuple of Value
        The carried values that belong to it, where it is such an extreme.
    """

    start: Value
    operator: str | None = None
    term: Value | None = None
    test: Value | None = None
    leader: Value | None = None
    companions: tuple[Value, ...] = ()

    @property
    def is_untouched(self) -> bool:
        """Whether the iteration leaves the value as it is."""
        return self.operator is None


@dataclass(frozen=True, slots=True)
class Beyond:
    """Whether a key is beyond a carried extreme: the condition under which that changes.

    Attributes
    ----------
    start : Value
        The carried extreme.
    operator : str
        ``max first`` and so on.
    key : Value
        Where there is a test it is computed where that holds, and no value elsewhere.
    test : Value or None
        What has to hold besides.
    """

    start: Value
    operator: str
    key: Value
    test: Value | None = None


class Reader(Protocol):
    """Gives carried values where an iteration reads them."""

    def read(self, found: Accumulated) -> Value:
        """A carried value, with what was put together with it so far."""

    def changes(self, start: Value, value: Value) -> bool:
        """Whether a value of the program is on the way to the carried one of the next iteration."""


#: What ``key OPERATOR extreme`` finds: of several alike, the first or the last.
BEYOND = {">": "max first", ">=": "max last", "<": "min first", "<=": "min last"}
FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
#: Without others beside it, the first of several alike is Python's extreme.
ALONE = {"max first": "max", "min first": "min"}

#: Operators by which a value may be put together with others in any order.
SUMS = {"+": "+", "-": "+", "*": "*"}
EXTREMES = {
    "builtins.max": "max",
    "builtins.min": "min",
    "numpy.maximum": "maximum",
    "numpy.minimum": "minimum",
}


def same_operator(one: str | None, other: str | None, start: Value) -> str | None:
    """How a value is put together, where two ways meet.

    Raises
    ------
    Blocked
        Where the two differ.
    """
    if one is None or other is None or one == other:
        return one or other
    raise Blocked(f"`{start.name}` is a sum and something else")


def neutral(operator: str, dtype: str | None) -> complex:
    """What changes nothing when it is put together with a value.

    For sums of floats it is -0.0: 0.0 would make 0.0 of -0.0.

    Raises
    ------
    Blocked
        Where there is none.
    """
    if dtype is None:
        raise Blocked("nothing tells the dtype of a sum")
    floating = dtype.startswith(("float", "complex"))
    if operator == "+":
        return -0.0 if floating else 0
    if operator == "*":
        return 1.0 if floating else 1
    if operator in ("max", "maximum") and floating:
        return float("-inf")
    if operator in ("min", "minimum") and floating:
        return float("inf")
    raise Blocked("an extreme of whole numbers is taken under a condition")
