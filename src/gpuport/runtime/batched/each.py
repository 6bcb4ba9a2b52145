"""One call for each of many matrices, as calls on stacks where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuport.runtime.batched.algorithms import algorithm
from gpuport.runtime.batched.grouping import stacks, unstack
from gpuport.runtime.fallback import loaded_cupy


def each(
    name: str, ranks: Sequence[tuple[int, ...]], lists: tuple[Any, ...], options: Any
) -> list[Any]:
    """One call of a function of linear algebra for each item, as calls on stacks where possible."""
    cupy = loaded_cupy()
    if (
        len(lists) == 1
        and not isinstance(lists[0], (list, tuple))
        and not hasattr(lists[0], "ndim")
    ):
        lists = (list(lists[0]),)
    rows = list(zip(*lists, strict=False))
    if _small_rows(rows, ranks):
        return _on_host(getattr(np.linalg, name), rows, options)
    if cupy is None or not _stackable_rows(cupy, rows, ranks):
        return [_single(cupy, name, row, options) for row in rows]
    function, of_one = algorithm(cupy, name), getattr(cupy.linalg, name)
    columns = [list(column) for column in zip(*rows, strict=True)]
    try:
        return unstack(
            (index, _stacked(function, parts, options)) for index, *parts in stacks(*columns)
        )
    except np.linalg.LinAlgError:
        for place, row in enumerate(rows):
            try:
                of_one(*row, **options)
            except np.linalg.LinAlgError as error:
                error.add_note(f"for item {place} of {len(rows)}")
                raise
        raise


def _stackable_rows(cupy: Any, rows: list[Any], ranks: Sequence[tuple[int, ...]]) -> bool:
    return bool(rows) and all(
        isinstance(a, cupy.ndarray) and a.ndim in allowed
        for row in rows for a, allowed in zip(row, ranks, strict=True)
    )  # fmt: skip


def _small_rows(rows: list[Any], ranks: Sequence[tuple[int, ...]]) -> bool:
    """Whether these are NumPy's matrices, so small that calling is most of the work."""
    return len(rows) >= _SEVERAL and all(
        type(a) is np.ndarray and a.ndim in allowed and 0 < a.nbytes <= _TINY
        and a.dtype.char in "fdFD"
        for row in rows for a, allowed in zip(row, ranks, strict=True)
    )  # fmt: skip


_SEVERAL = 8
_TINY = 8192
"""Bytes of a matrix of 32 x 32 in double precision."""


def _on_host(function: Callable[..., Any], rows: list[Any], options: Any) -> list[Any]:
    """One call of a function of NumPy's for the matrices of each shape and dtype.

    NumPy calls LAPACK for one matrix after the other in both cases: the numbers are the same.
    """
    groups: dict[Any, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(tuple((a.shape, a.dtype) for a in row), []).append(place)
    found = []
    try:
        for places in groups.values():
            columns = zip(*(rows[place] for place in places), strict=True)
            found.append((places, _stacked(function, [np.stack(c) for c in columns], options)))
    except np.linalg.LinAlgError:  # the one that has none raises, as in the loop
        return [function(*row, **options) for row in rows]
    return unstack(found)


def _single(cupy: Any, name: str, row: tuple[Any, ...], options: Any) -> Any:
    on_device = cupy is not None and any(isinstance(a, cupy.ndarray) for a in row)
    return getattr(cupy.linalg if on_device else np.linalg, name)(*row, **options)


def _stacked(function: Callable[..., Any], parts: list[Any], options: Any) -> Any:
    if len(parts) == 2 and parts[1].ndim == 2:  # a vector beside each matrix
        return function(parts[0], parts[1][..., None], **options)[..., 0]
    return function(*parts, **options)
