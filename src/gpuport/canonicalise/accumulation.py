"""Values that one iteration hands to the next by putting something together with them.

While an iteration is rewritten, a carried value is an `Accumulated`: nothing but what is put
together with it is known. Reading it in any other way blocks, for its value hangs on the order of
iterations.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    start: Value
    operator: str | None = None
    term: Value | None = None


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
