"""What a kernel reads of the memory that it writes to, copied before the launch."""

from __future__ import annotations

import math
from typing import Any

from gpuport.runtime.loops import bounds_of_array

_WIDER = 2
"""How much more than the elements the memory around them may be to be copied as a whole."""


def snapshots(cupy: Any, written: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with copies of those that share memory with what is written to.

    An argument that has each element where it is written stays. Parts of one array, as of
    ``u[1:-1] = u[2:] - u[:-2]``, are copied together, as bytes.
    """
    shared = {
        id(one): one for one in arguments
        if isinstance(one, cupy.ndarray) and one.size and _meet(written, one)
    }  # fmt: skip
    if not shared:
        return arguments
    copies = _copies(cupy, list(shared.values()))
    return tuple(copies.get(id(one), one) for one in arguments)


def _copies(cupy: Any, arrays: list[Any]) -> dict[int, Any]:
    bounds = [bounds_of_array(one) for one in arrays]
    first, last = min(low for low, _ in bounds), max(high for _, high in bounds)
    backwards = any(stride < 0 for one in arrays for stride in one.strides)
    if backwards or last - first > _WIDER * sum(one.nbytes for one in arrays):
        return {id(one): one.copy() for one in arrays}
    memory = cupy.cuda.alloc(last - first)
    source = arrays[0].data + (first - arrays[0].data.ptr)
    memory.copy_from_device_async(source, last - first)
    return {
        id(one): cupy.ndarray(one.shape, one.dtype, memory + (one.data.ptr - first), one.strides)
        for one in arrays
    }


def _meet(written: Any, other: Any) -> bool:
    """Whether an element is written to while another thread may read it."""
    (low, high), (begin, end) = bounds_of_array(written), bounds_of_array(other)
    if end <= low or high <= begin:
        return False
    apart = other.data.ptr - written.data.ptr
    if not apart and (written.shape, written.strides) == (other.shape, other.strides):
        return False
    steps = [
        abs(stride) for one in (written, other)
        for n, stride in zip(one.shape, one.strides, strict=True) if n > 1
    ]  # fmt: skip
    step = math.gcd(*steps)  # two columns: no element of one is where one of the other can be
    return not step or not written.itemsize <= apart % step <= step - other.itemsize
