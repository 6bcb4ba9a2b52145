"""Make reads of uninitialised memory visible: ``np.empty`` gives a known pattern."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import VALUE_KINDS, Observation
from gpuport.verify.execution.tolerance import Mask, unequal


@contextlib.contextmanager
def patterned(byte: int) -> Iterator[None]:
    """Inside the block ``np.empty`` and ``np.empty_like`` give memory full of `byte`.

    Two runs under different patterns agree only where no such memory reaches the outcome.
    """
    kept = {name: getattr(np, name) for name in ("empty", "empty_like")}
    for name, function in kept.items():
        setattr(np, name, _known(function, byte))
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(np, name, function)


@functools.cache
def _known(function: Callable[..., Any], byte: int) -> Callable[..., Any]:
    """Made once for each pattern, as every call of the original wants it."""
    return _filled(function, byte)


def _filled(function: Callable[..., Any], byte: int) -> Callable[..., Any]:
    @functools.wraps(function)
    def allocate(*args: Any, **kwargs: Any) -> Any:
        made = function(*args, **kwargs)
        if type(made) is np.ndarray and made.size and made.dtype.kind in "iufc":
            made.fill(_pattern(made.dtype, byte))
        return made

    return allocate


@functools.cache
def _pattern(dtype: np.dtype[Any], byte: int) -> Any:
    """A number of which every byte is this one."""
    return np.full(dtype.itemsize, byte, np.uint8).view(dtype)[0]


def unset_elements(first: Observation, second: Observation) -> dict[str, Mask] | None:
    """Where two runs differ that unset memory alone tells apart; None where in structure."""
    if len(first.leaves) != len(second.leaves) or first.printed != second.printed:
        return None
    found = {}
    for a, b in zip(first.leaves, second.leaves, strict=True):
        if (a.path, a.kind) != (b.path, b.kind):
            return None
        if a.kind not in VALUE_KINDS or a.kind == "int":
            if a.value != b.value:
                return None
            continue
        x, y = np.asarray(a.value), np.asarray(b.value)
        if (x.shape, x.dtype) != (y.shape, y.dtype):
            return None
        differs = unequal(x, y)
        if differs.any():
            found[a.path] = differs
    # a single value made of such memory, or all of one, is nothing to compare
    return found if all(0 < m.sum() < m.size for m in found.values()) else None
