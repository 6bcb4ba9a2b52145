"""The element types a device array can have, and CuPy's conversions between them."""

from __future__ import annotations

from typing import Any

import numpy as np

SUPPORTED_CHARS = "?bhilqBHILQefdFD"
SCALAR_TYPES: frozenset[type] = frozenset(
    {bool, int, float, complex, *(np.dtype(char).type for char in SUPPORTED_CHARS)}
)
_SMALLEST_NORMAL = np.float32(np.finfo(np.float32).tiny)


def check_dtype(dtype: Any) -> np.dtype[Any]:
    """The NumPy dtype of `dtype` in native byte order.

    Raises
    ------
    ValueError
        Where CuPy has no such element type.
    TypeError
        For a structured dtype given as a list, which CuPy cannot hash.
    """
    hash(dtype)
    found = np.dtype(dtype)
    if found.char not in SUPPORTED_CHARS:
        raise ValueError(f"Unsupported dtype {found}")
    native: np.dtype[Any] = found if found.isnative else found.newbyteorder("=")
    return native


def cast(values: Any, dtype: np.dtype[Any], order: str = "K") -> Any:
    """A copy of `values` as `dtype`, floating values converted to integers as the device does.

    The device saturates and turns NaN into 0 (PTX ISA, ``cvt``); types below 32 bits are
    converted to 32 bits first and then truncated.
    """
    if dtype.kind in "iu" and values.dtype.kind == "f":
        return _saturate(values, dtype, order)
    if values.dtype.kind == "c" and dtype.kind in "biuf":
        return cast(values.real, dtype, order) if dtype.kind != "b" else values.astype(dtype)
    with np.errstate(all="ignore"):
        return values.astype(dtype, order=order)


def _saturate(values: Any, dtype: np.dtype[Any], order: str) -> Any:
    wide = dtype if dtype.itemsize >= 4 else np.dtype(np.int32)
    limits = np.iinfo(wide)
    with np.errstate(all="ignore"):
        result = values.astype(wide, order=order)
        exact = values.astype(np.float64) if values.dtype.itemsize < 4 else values
        high = exact >= float(limits.max)
        low = exact <= float(limits.min)
        if high.any() or low.any() or np.isnan(exact).any():
            result = np.where(high, limits.max, np.where(low, limits.min, result)).astype(wide)
            result = np.asarray(np.where(np.isnan(exact), 0, result), dtype=wide)
    return result if wide is dtype else result.astype(dtype)


def flush_denormals(values: Any) -> None:
    """Set float32 denormals of `values` to zero in place, sign kept, as ``-ftz=true`` does."""
    small = np.abs(values) < _SMALLEST_NORMAL
    if small.any():
        values[small] = np.copysign(np.float32(0), values[small])
