"""What is known of a value in a loop: its possible types, and the range of its whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from gpuport.parallel.typing import Number, Type, kind, width

Bound = int | None

LIMIT = 2**63
"""Whole numbers of a kernel are below this in magnitude."""
_STEPS = (2**20, 2**28, 2**31, 2**48, 2**52, 2**53, 2**62)
_MOST_CONSTANTS = 4


@dataclass(frozen=True, slots=True)
class Alternative:
    """One type that a value may have, and its value where that is a constant."""

    type: Type
    constant: Number | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A value at one place of the program.

    Attributes
    ----------
    alternatives : frozenset of Alternative
        More than one where paths of different types meet.
    low, high : int or None
        Bounds, both included, of the whole numbers among them; None where unbounded.
    """

    alternatives: frozenset[Alternative]
    low: Bound = None
    high: Bound = None

    @property
    def types(self) -> frozenset[Type]:
        """The possible types."""
        return _types(self.alternatives)

    @property
    def constant(self) -> Number | None:
        """The value where there is but one."""
        constants = {a.constant for a in self.alternatives}
        return next(iter(constants)) if len(constants) == 1 else None

    @property
    def nonnegative(self) -> bool:
        """Whether it is a whole number that is never negative."""
        return self.low is not None and self.low >= 0 and self.whole

    @property
    def whole(self) -> bool:
        """Whether all its types are integers."""
        return all(t.kind in "iu" for t in self.types)

    @property
    def boolean(self) -> bool:
        """Whether it is a truth value."""
        return all(t.dtype == "bool" for t in self.types)


@lru_cache(maxsize=4096)
def _types(alternatives: frozenset[Alternative]) -> frozenset[Type]:
    return frozenset(a.type for a in alternatives)


NOTHING = Value(frozenset())
"""The value of a name that is not set yet."""


def of_type(type_: Type, low: Bound = None, high: Bound = None) -> Value:
    """A value of one type; NumPy's integers have their dtype's bounds where none are given."""
    if not type_.weak and type_.kind in "iu" and low is None and high is None:
        low, high = dtype_bounds(type_.dtype)
    elif type_.dtype == "bool":
        low, high = 0, 1
    return Value(frozenset({Alternative(type_)}), low, high)


def of_constant(value: Number, type_: Type) -> Value:
    """The value of a literal."""
    whole = isinstance(value, int)
    known = whole or (
        isinstance(value, float) and math.isfinite(value) and (value != 0 or repr(value) == "0.0")
    )
    bound = int(value) if isinstance(value, int) else None
    return Value(frozenset({Alternative(type_, value if known else None)}), bound, bound)


def dtype_bounds(dtype: str) -> tuple[int, int]:
    """Smallest and largest integer of a dtype."""
    bits = 8 * width(dtype)
    return (0, 2**bits - 1) if kind(dtype) == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def join(a: Value, b: Value) -> Value:
    """The value where two paths meet."""
    if a == b:
        return a
    both = a.alternatives | b.alternatives
    many = {
        t
        for t in {x.type for x in both}
        if any(x.type == t and x.constant is None for x in both)
        or sum(x.type == t for x in both) > _MOST_CONSTANTS
    }
    kept = frozenset(x for x in both if x.type not in many) | {Alternative(t) for t in many}
    low, high = _hull(a, b)
    return Value(kept, low, high)


def _hull(a: Value, b: Value) -> tuple[Bound, Bound]:
    counted = [v for v in (a, b) if any(t.kind in "iub" for t in v.types)]
    lows, highs = [v.low for v in counted], [v.high for v in counted]
    low = None if not lows or None in lows else min(x for x in lows if x is not None)
    high = None if not highs or None in highs else max(x for x in highs if x is not None)
    return low, high


def widen(old: Value, new: Value) -> Value:
    """`new`, its bounds moved far enough that a loop's values settle after a few rounds."""
    low, high = new.low, new.high
    if low is not None and old.low is not None and low < old.low:
        low = next((-s for s in _STEPS if -s <= low), None)
    if high is not None and old.high is not None and high > old.high:
        high = next((s for s in _STEPS if s >= high), None)
    return replace(new, low=low, high=high)


def within(value: Value, low: Bound, high: Bound) -> Value:
    """A value of which it is known besides that its whole numbers are within these bounds."""
    if value.low is None or value.high is None or low is None or high is None:
        return value
    low, high = max(value.low, low), min(value.high, high)
    return replace(value, low=low, high=high) if low <= high else value


def fits(value: Value, low: int, high: int) -> bool:
    """Whether its whole numbers are within these bounds."""
    return (
        value.low is not None and value.high is not None and low <= value.low <= value.high <= high
    )


def held(value: float, dtype: str) -> bool:
    """Whether a dtype holds a number exactly."""
    try:
        with np.errstate(over="ignore"):
            return bool(np.dtype(dtype).type(value).item() == value)
    except (OverflowError, ValueError):
        return False
