"""The element types a device array can have, and CuPy's conversions between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.silence import quiet, restore
from gpuport.host.state import cupy_major

SUPPORTED_CHARS = "?bhilqBHILQefdFD"
SCALAR_TYPES: frozenset[type] = frozenset(
    {bool, int, float, complex, *(np.dtype(char).type for char in SUPPORTED_CHARS)}
)
_SMALLEST_NORMAL = np.float32(np.finfo(np.float32).tiny)


def check_dtype(dtype: Any) -> np.dtype[Any]:
    """The NumPy dtype of `dtype`, where memory of that element type can be made.

    Raises
    ------
    ValueError
        Where CuPy has no such element type, or (CuPy 14) has it in the other byte order only.
    TypeError
        For a structured dtype given as a list, which CuPy cannot hash.
    """
    hash(dtype)
    found: np.dtype[Any] = np.dtype(dtype)
    if found.char in SUPPORTED_CHARS and found.isnative:
        return found
    if cupy_major() >= 14:
        if found.byteorder == ">":
            raise ValueError(f"Unsupported dtype {found} with big-endian byte-order")
        if is_supported(found):
            return found
    elif found.char in SUPPORTED_CHARS:
        return found.newbyteorder("=")
    raise ValueError(f"Unsupported dtype {found}{_why(found)}")


def viewed_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype under which memory is seen: CuPy 14 lets views be of any."""
    seen: np.dtype[Any] = np.dtype(dtype) if cupy_major() >= 14 else check_dtype(dtype)
    return seen


def is_supported(dtype: np.dtype[Any]) -> bool:
    """Whether an array of the device can be made with these elements."""
    if dtype.char in SUPPORTED_CHARS:
        return True
    plain = dtype.kind == "V" and dtype.subdtype is None and dtype.itemsize > 0
    return plain and not dtype.hasobject and cupy_major() >= 14


def _why(dtype: np.dtype[Any]) -> str:
    if dtype.kind != "V" or not dtype.hasobject or cupy_major() < 14:
        return ""
    return (
        " because it contains references which cannot be supported by CuPy.\n"
        "This may happen even if a dtype only contains basic types "
        "if the original array contained e.g. object dtype."
    )


def cast(values: Any, dtype: np.dtype[Any], order: str = "K") -> Any:
    """A copy of `values` as `dtype`, floating values converted to integers as the device does.

    The device saturates (PTX ISA, ``cvt``): types below 32 bits are converted to 32 bits of their
    own sign first and then truncated.
    """
    if dtype.kind in "iu" and values.dtype.kind == "f":
        return _saturate(values, dtype, order)
    if values.dtype.kind == "c" and dtype.kind in "biuf":
        return cast(values.real, dtype, order) if dtype.kind != "b" else values.astype(dtype)
    token = quiet()
    try:
        return values.astype(dtype, order=order)
    finally:
        restore(token)


def _saturate(values: Any, dtype: np.dtype[Any], order: str) -> Any:
    narrow = np.dtype(np.uint32 if dtype.kind == "u" else np.int32)
    wide = dtype if dtype.itemsize >= 4 else narrow
    limits = np.iinfo(wide)
    with np.errstate(all="ignore"):
        result = values.astype(wide, order=order)
        exact = values.astype(np.float64) if values.dtype.itemsize < 4 else values
        high = exact >= float(limits.max)
        low = exact <= float(limits.min)
        unknown = np.isnan(exact)
        if high.any() or low.any() or unknown.any():
            result = np.where(high, limits.max, np.where(low, limits.min, result)).astype(wide)
            result = np.asarray(np.where(unknown, _of_nan(values.dtype, wide), result), wide)
    return result if wide is dtype else result.astype(dtype)


def _of_nan(source: np.dtype[Any], target: np.dtype[Any]) -> Any:
    """What NaN becomes: the highest bit alone, of float32 in 32 bits 0 (PTX ISA, ``cvt``)."""
    if source != np.float64 and target.itemsize < 8:
        return target.type(0)
    return np.asarray(1 << (8 * target.itemsize - 1), f"u{target.itemsize}").view(target)[()]


def flush_denormals(values: Any) -> None:
    """Set float32 denormals of `values` to zero in place, sign kept, as ``-ftz=true`` does."""
    small = np.abs(values) < _SMALLEST_NORMAL
    if small.any():
        values[small] = np.copysign(np.float32(0), values[small])
