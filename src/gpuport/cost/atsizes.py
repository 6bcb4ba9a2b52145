"""Whether NumPy is likely to be quicker than launches at the sizes that a program shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.cost.breakeven import CALL, ELEMENT, LAUNCH

_CLEARLY = 1.5
"""By how much the device has to be slower before it is said: the model is a rough one."""


@dataclass(frozen=True, slots=True)
class AtSizes:
    """What some operations take.

    Attributes
    ----------
    most : int
        Elements of the largest array.
    launches : int
    host, device : float
        Microseconds that NumPy takes for all of them, and CuPy.
    """

    most: int
    launches: int
    host: float
    device: float


def slower(elements: Sequence[int], products: Sequence[int], launches: int) -> AtSizes | None:
    """What operations take where they are slower on the device; None where they are not.

    Parameters
    ----------
    elements : sequence of int
        Elements that each operation works on which takes as long as it has elements.
    products : sequence of int
        Elements of the largest operand of each other one: as for a product of square matrices.
    launches : int
        How many of all these are launches.
    """
    work = sum(elements) + sum(most**1.5 for most in products)
    host = CALL * (len(elements) + len(products)) + ELEMENT * work
    device = LAUNCH * launches
    if device < _CLEARLY * host:
        return None
    return AtSizes(max([*elements, *products]), launches, host / 1000, device / 1000)


__all__ = ["AtSizes", "slower"]
