"""A few threads that go through arrays, beside NumPy's operations on them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

_CALL, _ELEMENT, _STEP = 1000, 8, 100
"""Nanoseconds that NumPy takes for an operation and for each element, and a thread for an element.

As far as ``bench/results/ports.json`` tells: NumPy's of the heat equation in slices, 64 x 64 to
1,024 x 1,024 (8 to 10 an element); a thread's step of sums over 30 and over 300 pairs (over 2,000:
260), for which Python takes 1,000.
"""


def too_few(trips: Sequence[int | None], lengths: Sequence[int | None]) -> int:
    """How many threads there are, where NumPy is faster than they are; 0 where it is not.

    Parameters
    ----------
    trips : sequence of (int or None)
        How often each loop runs that the threads share; None where nothing says so.
    lengths : sequence of (int or None)
        Elements of the arrays through which each thread goes; None is taken for many.
    """
    if None in trips:
        return 0
    threads = prod(count or 0 for count in trips)
    saved = _STEP - threads * _ELEMENT  # of each element
    longest = None if None in lengths else max((length or 0 for length in lengths), default=0)
    slower = saved > 0 and (longest is None or longest * saved > threads * _CALL)
    return threads if slower else 0


__all__ = ["too_few"]
