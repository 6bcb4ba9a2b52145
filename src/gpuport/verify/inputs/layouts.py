"""How arrays of an example lie in memory: order, strides, and memory that two of them share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

READ_ONLY = "read-only"
LAYOUTS = ("C", "C", "F", "strided", "C", "reversed", "C", READ_ONLY, "spaced", "mirrored")

Arguments = dict[str, Any]


def laid_out(values: NDArray[Any], layout: str) -> NDArray[Any]:
    """A copy in the memory layout of this name."""
    if values.ndim == 0 or layout in ("C", READ_ONLY):
        return values.copy()
    if layout == "reversed":
        return np.array(values[::-1], order="C")[::-1]
    if layout == "mirrored":
        return np.array(values[..., ::-1], order="C")[..., ::-1]
    if layout == "spaced":
        # rows of a wider table
        rows = np.full((2 * values.shape[0], *values.shape[1:]), 77, values.dtype)
        rows[::2] = values
        return rows[::2]
    if layout == "strided":
        # the gaps hold a sentinel: a port that ignores strides reads or overwrites it
        base = np.full((*values.shape[:-1], 2 * values.shape[-1]), 77, values.dtype)
        base[..., ::2] = values
        return base[..., ::2]
    return np.array(values, order="F")


def layout_of(values: NDArray[Any]) -> str:
    """Which layout a replay has to give an array again, which keeps its order by itself."""
    if not values.ndim or not values.size or values.flags.forc:
        return ""
    if values.strides[0] < 0:
        return "reversed"
    if values.strides[-1] < 0:
        return "mirrored"
    return "strided" if values.strides[-1] > values.itemsize else "spaced"


def frozen(arguments: Arguments) -> Arguments:
    """The same arguments, their arrays not to be written into from now on."""
    for value in arguments.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return arguments


def aliased(arguments: Arguments, alias: str, apart: Collection[str]) -> Arguments:
    """Make two arrays of one shape and dtype the same, alike, or of one memory shifted by one.

    Those `apart` have values of their own.
    """
    if not alias:
        return arguments
    seen: dict[tuple[Any, ...], str] = {}
    for name, value in arguments.items():
        if not isinstance(value, np.ndarray) or value.size == 0 or name in apart:
            continue
        key = (value.shape, value.dtype)
        if key not in seen:
            seen[key] = name
            continue
        first = arguments[seen[key]]
        if alias == "same":
            return {**arguments, name: first}
        if alias == "equal":
            return {**arguments, name: first.copy()}
        # in C order, where neighbouring rows are so on the device as well
        base = np.ascontiguousarray(np.concatenate([first, value[-1:]])) if value.ndim else first
        if value.ndim:
            return {**arguments, seen[key]: base[:-1], name: base[1:]}
    return arguments
