"""The points that a map goes over."""

from __future__ import annotations

from dataclasses import dataclass

from gpuport.ir.structure import Value

#: Operators that raise for some of Python's whole numbers.
MAY_RAISE = frozenset({"/", "//", "%", "**", "<<", ">>"})


@dataclass(frozen=True, slots=True)
class Grid:
    """An index of a map, and the range that it goes over."""

    index: Value
    low: Value
    high: Value
    step: int
