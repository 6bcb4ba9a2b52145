"""Arrays of other values, or of another type, that lie in memory as the ones given.

Functions may ask how their arrays lie (``reshape(order="A")``, ``ravel("K")``, flags, overlapping
arguments). One that finds another layout gives another order, which is no rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def alike(
    value: NDArray[Any],
    dtype: DTypeLike | None = None,
    known: dict[int, NDArray[Any]] | None = None,
) -> NDArray[Any]:
    """A copy with the strides of `value`, counted in elements; what it is a view of is copied too.

    Parameters
    ----------
    value : ndarray
    dtype : dtype, optional
        Of the copy; that of `value` if there is none.
    known : dict, optional
        Memory that was copied before, by whose it is: views of one array stay such.
    """
    wanted = np.dtype(dtype) if dtype is not None else value.dtype
    owner = value
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    in_elements = all(stride % value.itemsize == 0 for stride in value.strides)
    if owner is value or owner.dtype != value.dtype or not owner.flags.forc or not in_elements:
        return _apart(value, wanted) if in_elements else value.astype(wanted)
    known = {} if known is None else known
    if id(owner) not in known:
        known[id(owner)] = owner.ravel(order="K").astype(wanted)
    begin = (value.ctypes.data - owner.ctypes.data) // value.itemsize
    return _view(value, known[id(owner)], begin)


def _apart(value: NDArray[Any], wanted: np.dtype[Any]) -> NDArray[Any]:
    """A copy with as many gaps, and with none of the memory around."""
    if value.flags.forc or not value.size:
        return value.astype(wanted)
    steps = [
        (n - 1) * stride // value.itemsize
        for n, stride in zip(value.shape, value.strides, strict=True)
    ]
    before = -sum(min(step, 0) for step in steps)
    memory = np.zeros(before + sum(max(step, 0) for step in steps) + 1, wanted)
    copied = _view(value, memory, before)
    copied[...] = value
    return copied


def _view(value: NDArray[Any], memory: NDArray[Any], begin: int) -> NDArray[Any]:
    """The elements of `memory` that lie in it as those of `value`, from one on."""
    size = memory.itemsize
    strides = tuple(stride // value.itemsize * size for stride in value.strides)
    return np.ndarray(value.shape, memory.dtype, memory, begin * size, strides)


def filled(value: NDArray[Any], values: Any) -> NDArray[Any]:
    """An array with other `values` that lies as `value` does."""
    copied = _apart(value, value.dtype)
    copied[...] = values
    return copied
