"""Matrices of the host: NumPy's functions, one by one, on stacks, or in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuport.runtime.batched.grouping import unstack
from gpuport.runtime.batched.sizes import sizes

Row = tuple[Any, ...]
"""The arguments of one call."""


def is_small(rows: Sequence[Row], ranks: Sequence[tuple[int, ...]]) -> bool:
    """Whether these are NumPy's matrices, so small that calling is most of the work."""
    most = sizes().host_bytes
    return len(rows) >= sizes().host_several and all(
        type(a) is np.ndarray and a.ndim in allowed and 0 < a.nbytes <= most
        and a.dtype.char in "fdFD"
        for row in rows for a, allowed in zip(row, ranks, strict=True)
    )  # fmt: skip


def of_numpy(rows: Sequence[Row], ranks: Sequence[tuple[int, ...]]) -> bool:
    """Whether all are NumPy's own arrays with the axes that the function takes."""
    return all(
        type(a) is np.ndarray and a.ndim in allowed
        for row in rows for a, allowed in zip(row, ranks, strict=True)
    )  # fmt: skip


def one_by_one(function: Callable[..., Any], rows: Sequence[Row], options: Any) -> list[Any]:
    """A call for each row; the error of a row without result names it."""
    found = []
    for place, row in enumerate(rows):
        try:
            found.append(function(*row, **options))
        except np.linalg.LinAlgError as error:
            error.add_note(f"for item {place} of {len(rows)}")
            raise
    return found


def together(function: Callable[..., Any], rows: Sequence[Row], options: Any) -> list[Any]:
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
            found.append((places, on_stack(function, [np.stack(c) for c in columns], options)))
    except np.linalg.LinAlgError:  # the one that has none raises, as in the loop
        return one_by_one(function, rows, options)
    return unstack(found)


def on_stack(function: Callable[..., Any], parts: list[Any], options: Any) -> Any:
    """A function of stacks, which would take a stack of vectors for one matrix."""
    if len(parts) == 2 and parts[1].ndim == 2:  # a vector beside each matrix
        return function(parts[0], parts[1][..., None], **options)[..., 0]
    return function(*parts, **options)


def rows_on_host(name: str, rows: Sequence[Row], ranks: Any, options: Any) -> list[Any]:
    """A function of ``numpy.linalg`` of every row, in several processes where that takes long.

    The first rows are computed here. Once they have taken half a second, the time of the rest is
    estimated from theirs; from ten seconds on, and with several cores, processes with one BLAS
    thread each take the rest over. Both times stand in ``rules/linalg-sizes.json``.
    """
    function = getattr(np.linalg, name)
    if is_small(rows, ranks) and name not in ("eig", "eigvals"):  # real or complex, each by itself
        return together(function, rows, options)
    work = [_work(row) for row in rows]
    done, whole, start = 0.0, sum(work), time.perf_counter()
    found: list[Any] = []
    for place, row in enumerate(rows):
        found += _named(function, row, options, place, len(rows))
        done += work[place]
        elapsed = time.perf_counter() - start
        rest = elapsed / done * (whole - done) if done else 0.0
        if elapsed > sizes().processes_sample and rest >= sizes().processes_from:
            from gpuport.runtime.batched.pool import in_processes

            return found + in_processes(name, rows[place + 1 :], options, place + 1)
    return found


def _named(
    function: Callable[..., Any], row: Row, options: Any, place: int, count: int
) -> list[Any]:
    try:
        return [function(*row, **options)]
    except np.linalg.LinAlgError as error:
        error.add_note(f"for item {place} of {count}")
        raise


def _work(row: Row) -> float:
    """What a decomposition costs, up to a factor."""
    shape = row[0].shape
    return float(shape[0] * shape[1] * min(shape)) if len(shape) == 2 else 1.0
