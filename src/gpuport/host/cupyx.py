"""``cupyx``: scatter functions, error state, pinned memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gpuport.host import state
from gpuport.host.counters import KERNELS
from gpuport.host.ndarray import wrap
from gpuport.host.operands import operand
from gpuport.host.registry import implements

implements("cupyx.errstate")(state.errstate)
implements("cupyx.seterr")(state.seterr)
implements("cupyx.geterr")(state.geterr)


@implements("cupyx.scatter_add")
def scatter_add(a: Any, slices: Any, value: Any) -> None:
    """Add at the indices."""
    a.scatter_add(slices, value)


@implements("cupyx.scatter_max")
def scatter_max(a: Any, slices: Any, value: Any) -> None:
    """Maximum at the indices."""
    a.scatter_max(slices, value)


@implements("cupyx.scatter_min")
def scatter_min(a: Any, slices: Any, value: Any) -> None:
    """Minimum at the indices."""
    a.scatter_min(slices, value)


@implements("cupyx.rsqrt")
def rsqrt(x: Any) -> Any:
    """Reciprocal square root."""
    KERNELS["cupyx_rsqrt"] += 1
    with np.errstate(all="ignore"):
        return wrap(1 / np.sqrt(operand(x)))


@implements("cupyx.DeviceSynchronized")
class DeviceSynchronized(RuntimeError):
    """The program waited for the device where :func:`allow_synchronize` forbids it."""

    __module__ = "cupy._core.syncdetect"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or "Device synchronization was detected while disallowed.")


@implements("cupyx.allow_synchronize")
@contextmanager
def allow_synchronize(allow: bool) -> Iterator[None]:
    """Allow or forbid for a block that arrays are read back and that devices are waited for."""
    warnings.warn(
        "cupyx.allow_synchronize will be removed in future releases as it is not "
        "possible to reliably detect synchronizations.",
        stacklevel=3,
    )
    before, state.SYNCHRONISE.refusal = (
        state.SYNCHRONISE.refusal,
        (None if allow else DeviceSynchronized),
    )
    try:
        yield
    finally:
        state.SYNCHRONISE.refusal = before


@implements("cupyx.empty_pinned")
def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    """Host array."""
    return np.empty(shape, dtype, order)  # type: ignore[call-overload]


@implements("cupyx.zeros_pinned")
def zeros_pinned(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    """Host array of zeros."""
    return np.zeros(shape, dtype, order)  # type: ignore[call-overload]
