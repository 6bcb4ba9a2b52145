"""What stands around the launch of a kernel that a loop became."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CellType, FrameType, FunctionType
from typing import Any

import numpy as np

from gpuport.runtime.fallback import FallbackWarning, loaded_cupy
from gpuport.runtime.holding import held_arrays, holding_copies
from gpuport.runtime.kernels.layouts import span_of
from gpuport.runtime.overlaps import overlap_on_device

_PYTHON = {"int": int, "float": float, "complex": complex, "bool": bool}

_GROUPS = {
    "whole": ("int", "int64_scalar"),
    "real": ("float", "float64_scalar", "small_int"),
    "python_real": ("float", "small_int"),
    "floating": ("float", "float64_scalar"),
    "number": ("float64_scalar",),
}

_SMALL = 2**24
"""Whole numbers up to here are float32's and float64's too: a kernel may take them for such."""

_LARGEST = 2**60
"""The largest of Python's whole numbers that a kernel takes: sums of a few stay within 64 bits.
`i + k + 1` for `k = sys.maxsize` does in Python alone."""

_warned: set[tuple[str, int]] = set()


def launchable(*, writes: Any = (), ndim: int | None = None, **kinds: Any) -> bool:
    """Whether a kernel made for certain types can be launched with these values.

    Parameters
    ----------
    writes : cupy.ndarray or tuple of them
        The arrays that the kernel writes; they are among `kinds` too.
    ndim : int, optional
        Number of axes that all the arrays must have.
    **kinds
        By the name of a dtype: the array, or a tuple of the arrays, that must be of it. Numbers
        are given under ``int``, ``float``, ``complex`` or ``bool`` (Python's), a dtype with
        ``_scalar`` appended (NumPy's), ``whole`` (``int`` or ``numpy.int64``), ``real``
        (``float``, ``numpy.float64`` or an ``int`` of at most 2**24), ``python_real`` (those
        without NumPy's), ``floating`` (those without ``int``) or ``number`` (``numpy.float64``
        or an array of it without dimensions).

    Returns
    -------
    bool
        True where all arrays are on the device with the dtypes named, all numbers are of the
        types named, and no array that is written shares memory with another one. False wherever
        an array is NumPy's, so that the loop beside the kernel runs.
    """
    cupy = loaded_cupy()
    if cupy is None:
        return False
    arrays: list[Any] = []
    for kind, values in kinds.items():
        for value in values if isinstance(values, tuple) else (values,):
            if isinstance(value, cupy.ndarray):
                if kind == "number" and value.ndim == 0 and value.dtype.name == "float64":
                    continue
                if value.dtype.name != kind or (ndim is not None and value.ndim != ndim):
                    return False
                arrays.append(value)
            elif not any(_is_number(one, value) for one in _GROUPS.get(kind, (kind,))):
                return False
    written = writes if isinstance(writes, tuple) else (writes,)
    return not any(_overlaps(cupy, array, arrays) for array in written)


def _is_number(kind: str, value: Any) -> bool:
    if kind == "small_int":
        return type(value) is int and abs(value) <= _SMALL
    if kind in _PYTHON:
        if isinstance(value, int) and abs(value) > _LARGEST:
            return False
        return type(value) is _PYTHON[kind]
    scalar = isinstance(value, np.generic) and kind.endswith("_scalar")
    return scalar and value.dtype.name == kind[: -len("_scalar")]


def _overlaps(cupy: Any, written: Any, arrays: Sequence[Any]) -> bool:
    others = sum(other is written for other in arrays)
    return others > 1 or any(
        cupy.may_share_memory(written, other) for other in arrays if other is not written
    )


@contextmanager
def on_host(
    *arrays: Any,
    writes: tuple[Any, ...] = (),
    held: tuple[tuple[Any, str], ...] = (),
    calls: tuple[Any, ...] = (),
    objects: tuple[Any, ...] = (),
) -> Iterator[tuple[Any, ...]]:
    """Run a loop on the host although its arrays may be on the device.

    Parameters
    ----------
    *arrays
        What the loop reads.
    writes : tuple
        What it writes: copied back at the end, also where the loop raises.
    held : tuple of (object, str)
        Attributes that hold some of these arrays, and that methods read which the loop calls:
        they hold the copies until its end.
    calls : tuple of functions
        Functions that the loop calls and that read some of these arrays by the names of the
        function around them: until its end they read the copies.
    objects : tuple
        Objects that the loop reads attributes of. What they hold of the memory of these arrays is
        a copy until its end, so that what their properties compute follows what the loop writes.

    Yields
    ------
    tuple
        A NumPy array for each array of the device, in the order given, those of `writes` last;
        everything else as it is. Arrays that share memory on the device do so here.

    Warns
    -----
    FallbackWarning
        The first time that a loop comes here with an array of the device.
    """
    given = (*arrays, *writes)
    cupy = loaded_cupy()
    moved = [cupy is not None and isinstance(a, cupy.ndarray) for a in given]
    if not any(moved):
        yield given
        return
    if any(a.size for a, is_moved in zip(given, moved, strict=True) if is_moved):
        _warn_once(sys._getframe(2))
    on_device = [a for a, is_moved in zip(given, moved, strict=True) if is_moved]
    found = held_beside(cupy, objects, on_device)
    copies = host_copies(cupy, [*on_device, *(array for _, _, array in found)])
    result = tuple(copies.get(id(a), a) for a in given)
    holders = [*((one, name, getattr(one, name)) for one, name in held), *found]
    holders += [(cell, "cell_contents", array) for cell, array in cells_of(calls, copies)]
    try:
        with holding_copies(holders, copies):
            yield result
    finally:
        for array, copy in zip(writes, result[len(arrays) :], strict=True):
            if copy is not array:
                array[...] = cupy.asarray(copy)


def held_beside(
    cupy: Any, objects: Iterable[Any], arrays: Sequence[Any]
) -> list[tuple[Any, Any, Any]]:
    """What objects hold of the memory of device arrays: who, under which name, and what."""
    return [
        (one, name, array) for one, name, array in held_arrays(objects, cupy.ndarray)
        if any(overlap_on_device(array, other) for other in arrays)
    ]  # fmt: skip


def cells_of(calls: Iterable[Any], copies: dict[int, Any]) -> list[tuple[CellType, Any]]:
    """The variables through which functions read arrays that have copies, and these arrays."""
    found: dict[int, tuple[CellType, Any]] = {}
    waiting, seen = list(calls), set[int]()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for cell in getattr(function, "__closure__", None) or ():
            try:
                value = cell.cell_contents
            except ValueError:  # not bound yet
                continue
            if id(value) in copies:
                found[id(cell)] = cell, value
            elif isinstance(value, FunctionType):
                waiting.append(value)
    return list(found.values())


def _warn_once(frame: FrameType) -> None:
    place = (frame.f_code.co_filename, frame.f_lineno)
    if place not in _warned:
        _warned.add(place)
        warnings.warn(
            "a loop runs on the CPU: its arrays or numbers are not those that its kernel was made "
            "for. The results are the same, the speed is not.",
            FallbackWarning,
            stacklevel=4,
        )


def host_copies(cupy: Any, arrays: list[Any]) -> dict[int, Any]:
    """NumPy copies by the id of the device array; overlapping arrays get overlapping copies."""
    copies: dict[int, Any] = {}
    for group in groups_that_meet(arrays):
        if len(group) == 1 and not _meets_itself(group[0]):
            copies[id(group[0])] = cupy.asnumpy(group[0])
        else:
            copies |= copied_together(cupy, group)
    return copies


def groups_that_meet(arrays: list[Any]) -> list[list[Any]]:
    """Device arrays, each once, with those beside that share memory with them."""
    groups: list[list[Any]] = []
    for array in {id(a): a for a in arrays}.values():
        apart, joined = [], [array]
        for group in groups:  # `group in near` would compare elements
            if any(overlap_on_device(array, other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def copied_together(cupy: Any, group: list[Any]) -> dict[int, Any]:
    """NumPy copies by the id of the device array, all in one memory as those are."""
    copies = {}
    bounds = [bounds_of_array(a) for a in group]
    low, high = min(b[0] for b in bounds), max(b[1] for b in bounds)
    memory = np.zeros(high - low, np.uint8)
    for array in group:
        at = array.data.ptr - low
        copy: Any = np.ndarray(array.shape, array.dtype, memory, at, array.strides)
        copy[...] = cupy.asnumpy(array)
        copies[id(array)] = copy
    return copies


def _meets_itself(array: Any) -> bool:
    """Whether elements of an array share memory, as those of a broadcast one do."""
    return span_of(array.shape, array.strides, array.itemsize)[2]


def bounds_of_array(array: Any) -> tuple[int, int]:
    """First byte of an array's elements, and the one after the last."""
    low = high = int(array.data.ptr)
    for extent, stride in zip(array.shape, array.strides, strict=True):
        if extent > 1:
            low += min(0, (extent - 1) * stride)
            high += max(0, (extent - 1) * stride)
    return low, high + int(array.itemsize)
