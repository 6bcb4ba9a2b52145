"""Copies of device arrays on the host, for loops that run there."""

from __future__ import annotations

from collections.abc import Iterable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from gpuport.runtime.holding import held_arrays
from gpuport.runtime.kernels.layouts import span_of
from gpuport.runtime.overlaps import overlap_on_device


def held_beside(
    cupy: Any, objects: Iterable[Any], arrays: Iterable[Any]
) -> list[tuple[Any, Any, Any]]:
    """What objects hold of the memory of device arrays: who, under which name, and what."""
    return [
        (one, name, array) for one, name, array in held_arrays(objects, cupy.ndarray)
        if any(overlap_on_device(array, other) for other in arrays)
    ]  # fmt: skip


def cells_of(calls: Iterable[Any], copies: dict[int, Any]) -> list[tuple[CellType, Any]]:
    """The variables through which functions read arrays that have copies, and these arrays."""
    found: dict[int, tuple[CellType, Any]] = {}
    waiting, seen = [one for one in calls if isinstance(one, FunctionType)], set[int]()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for cell in function.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:  # not bound yet
                continue
            if id(value) in copies:
                found[id(cell)] = cell, value
            elif isinstance(value, FunctionType):
                waiting.append(value)
    return list(found.values())


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
