"""From how many elements on a function is faster on the device, for callers with host arrays."""

from __future__ import annotations

LAUNCH, CALL = 15_000.0, 1_000.0
"""Nanoseconds that CuPy takes for an operation, and NumPy, however small the arrays are."""
ELEMENT = 0.7
"""Nanoseconds that NumPy takes for a float64 in an elementwise operation that fits the cache."""
_LATENCY, _TRANSFER = 50_000.0, 2.3
"""Nanoseconds for moving an array over pageable PCIe, and for each float64 of it."""
_MOST = 1_000_000
"""Beyond it NumPy's arrays are in no cache, and each operation takes three times as long."""


def break_even(operations: float, launched: float, moved: int) -> int:
    """Elements from which on the device is faster, to one digit.

    The numbers are those of ``bench/results/ports.json`` (H200): in functions over whole arrays
    each operation took 13 to 16 microseconds on the device at the smallest size, and the transfers
    of the largest arrays ran at 3.5 GB/s.

    Parameters
    ----------
    operations : float
        Elementwise operations on arrays of this size, those in loops counted by their trips.
    launched : float
        How many of them are launches of their own: fewer where kernels do several.
    moved : int
        Arrays that cross, in both directions.
    """
    gain = ELEMENT * operations - _TRANSFER * moved
    price = LAUNCH * launched - CALL * operations + _LATENCY * moved
    elements = price / gain if gain > 0 else _MOST
    return int(float(f"{max(0.0, min(elements, _MOST)):.0e}"))


__all__ = ["CALL", "ELEMENT", "LAUNCH", "break_even"]
