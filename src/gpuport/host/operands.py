"""Operands of universal functions, and what their results are written into."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.dtypes import SCALAR_TYPES, cast
from gpuport.host.interchange import from_foreign
from gpuport.host.ndarray import ndarray, wrap


def operand(value: Any) -> Any:
    """NumPy's form of one operand.

    Raises
    ------
    TypeError
        ``Unsupported type``, for anything but device arrays and numbers.
    """
    kind = type(value)
    if kind is ndarray:
        return value._a
    if kind in SCALAR_TYPES:
        return value
    if isinstance(value, ndarray):
        return value._a
    if (foreign := from_foreign(value)) is not None:
        return foreign._a
    raise TypeError(f"Unsupported type {kind}")


def store_cast(result: Any, target: Any, casting: str) -> Any:
    """Device array of a result, or `target` with the result written into it."""
    if target is None:
        return wrap(result)
    result = np.asarray(result)
    if not np.can_cast(result.dtype, target.dtype, casting):  # type: ignore[arg-type]
        raise TypeError(
            f"Cannot cast output operand from {result.dtype!r} to {target.dtype!r} "
            f"according to the rule '{casting}'"
        )
    target._a[...] = result if result.dtype == target.dtype else cast(result, target.dtype)
    return target


def comparable(values: list[Any]) -> list[Any]:
    """Booleans beside a Python number too large for any integer compare as integers."""
    if not any(type(value) is int and not -(1 << 63) <= value < 1 << 63 for value in values):
        return values
    return [
        value.astype(np.int8) if getattr(value, "dtype", None) == np.bool_ else value
        for value in values
    ]


def all_of(dtype: Any, values: list[Any]) -> bool:
    """Whether the operands are arrays of this type, or Python's numbers that take it."""
    return all(
        value.dtype is dtype if type(value) is np.ndarray else type(value) in (int, float)
        for value in values
    )
