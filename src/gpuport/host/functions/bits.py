"""Bits packed into bytes, and unpacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.functions.arguments import typed
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements


def _check(axis: Any, bitorder: Any) -> None:
    if axis is not None:
        raise NotImplementedError("axis option is not supported yet")
    if bitorder not in ("big", "little"):
        raise ValueError("bitorder must be either 'big' or 'little'")


@implements("cupy.packbits")
def packbits(a: Any, axis: Any = None, bitorder: Any = "big") -> Any:
    """Eight elements in a byte, along one axis only."""
    values = typed(a, "a")
    if values.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    _check(axis, bitorder)
    KERNELS["cupy_packbits"] += 1
    return wrap(np.packbits(values, None, bitorder))


@implements("cupy.unpackbits")
def unpackbits(a: Any, axis: Any = None, bitorder: Any = "big") -> Any:
    """Eight elements of each byte, along one axis only."""
    values = a._a if isinstance(a, ndarray) else np.asarray(a)
    if values.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    _check(axis, bitorder)
    KERNELS["cupy_unpackbits"] += 1
    return wrap(np.unpackbits(values, None, bitorder=bitorder))
