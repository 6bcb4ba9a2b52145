"""Arrays joined along an axis, and repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.functions.arguments import typed
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements


@implements("cupy.concatenate", "cupy.concat")
def concatenate(
    tup: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Join along an axis."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were")
    values = []
    for part in tup:
        if not isinstance(part, ndarray):
            raise TypeError(f"Unsupported type {type(part)}")
        values.append(part._a)
    KERNELS["cupy_concatenate"] += len(values)
    dtype = out.dtype if out is not None else dtype
    result = np.concatenate(values, axis, dtype=dtype, casting=casting)  # type: ignore[call-overload]
    if out is None:
        return wrap(np.ascontiguousarray(result))
    out._a[...] = result
    return out


def _onto_device(values: Any) -> list[Any]:
    """vstack and hstack move host arrays first (``atleast_nd`` calls ``array``)."""
    from gpuport.host.creation import array

    return [x if isinstance(x, ndarray) else array(x) for x in values]


def _stacked(name: str) -> Any:
    def stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
        parts = [part._a for part in _onto_device(tup)]
        KERNELS["cupy_concatenate"] += len(parts)
        return wrap(getattr(np, name)(parts, dtype=dtype, casting=casting))

    return stack


implements("cupy.vstack")(_stacked("vstack"))


implements("cupy.hstack")(_stacked("hstack"))


@implements("cupy.stack")
def stack(
    tup: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Join along a new axis."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were")
    values = [typed(part, "a") for part in tup]
    KERNELS["cupy_concatenate"] += len(values)
    result = np.stack(values, axis, dtype=dtype, casting=casting)  # type: ignore[call-overload]
    if out is None:
        return wrap(result)
    out._a[...] = result
    return out


@implements("cupy.repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Repeat elements; counts that differ are read back, one launch a piece."""
    values = a._a
    if isinstance(repeats, ndarray):
        repeats = repeats.get()
    counts = np.atleast_1d(np.asarray(repeats))
    KERNELS["cupy_repeat"] += max(1, int(counts.size))
    return wrap(np.repeat(values, counts if counts.size > 1 else counts[0], axis))
