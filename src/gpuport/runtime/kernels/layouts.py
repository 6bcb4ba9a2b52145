"""What shapes and strides say of arrays, remembered for the few that a program has."""

from __future__ import annotations

from functools import lru_cache

from numpy import broadcast_shapes


@lru_cache(maxsize=4096)
def span_of(
    shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int
) -> tuple[int, int, bool]:
    """The bytes of an array, from its first element, and whether elements may share some."""
    if 0 in shape:
        return 0, -(2**63), False
    steps = [(n - 1) * stride for n, stride in zip(shape, strides, strict=True)]
    low, high = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0) + itemsize
    extent, shared = itemsize, False
    for stride, n in sorted((abs(s), n) for s, n in zip(strides, shape, strict=True) if n > 1):
        shared |= stride < extent
        extent += stride * (n - 1)
    return low, high, shared


@lru_cache(maxsize=4096)
def joint_shape(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of what is made of such arrays element by element; None where nothing can be."""
    try:
        return broadcast_shapes(*shapes)
    except ValueError:
        return None
