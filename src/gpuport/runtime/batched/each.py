"""One call for each of many matrices, as calls on stacks where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gpuport.runtime.batched.algorithms import algorithm
from gpuport.runtime.batched.grouping import places_of, stacks, unstack
from gpuport.runtime.batched.hosted import (
    is_small,
    of_numpy,
    on_stack,
    one_by_one,
    rows_on_host,
    together,
)
from gpuport.runtime.fallback import (
    DeviceUnavailable,
    loaded_cupy,
    out_of_memory_errors,
    usable_cupy,
)
from gpuport.runtime.linalg import linalg_errors

Where = Literal["auto"] | None


def each(
    name: str,
    ranks: Sequence[tuple[int, ...]],
    lists: tuple[Any, ...],
    options: Any,
    device: Where,
) -> list[Any]:
    """One call of a function of linear algebra for each item, as calls on stacks where possible."""
    if device not in (None, "auto"):
        raise ValueError(f"{name}: device is None or 'auto', not {device!r}")
    cupy = loaded_cupy()
    if (
        len(lists) == 1
        and not isinstance(lists[0], (list, tuple))
        and not hasattr(lists[0], "ndim")
    ):
        lists = (list(lists[0]),)
    rows = list(zip(*lists, strict=False))
    if name in BY_THE_HOST:
        return _by_the_host(cupy, name, rows, ranks, options)
    if device == "auto" and rows and of_numpy(rows, ranks):
        return _anywhere(name, rows, ranks, options)
    if is_small(rows, ranks):
        return together(getattr(np.linalg, name), rows, options)
    if cupy is None or not _stackable_rows(cupy, rows, ranks):
        return [_single(cupy, name, row, options) for row in rows]
    function, named = algorithm(cupy, name), _named(name, len(lists), options)
    columns = [list(column) for column in zip(*rows, strict=True)]
    with linalg_errors:  # also where no boundary asks for them
        try:
            return unstack(
                (index, named(on_stack(function, parts, options)))
                for index, *parts in stacks(*columns)
            )
        except np.linalg.LinAlgError:
            one_by_one(getattr(cupy.linalg, name), rows, options)
            raise


BY_THE_HOST = ("eig", "eigvals")
"""What NumPy computes wherever the matrices are: its results are real or complex by their values,
and in another order than cuSOLVER's."""


def _by_the_host(
    cupy: Any, name: str, rows: list[Any], ranks: Sequence[tuple[int, ...]], options: Any
) -> list[Any]:
    """A function of NumPy's of each matrix; those of the device cross together, there and back."""
    if cupy is None or not _stackable_rows(cupy, rows, ranks):
        return rows_on_host(name, rows, ranks, options)
    from gpuport.runtime.transfer import Crossing, Place

    stacked = stacks([row[0] for row in rows])
    there = unstack((places, cupy.asnumpy(stack)) for places, stack in stacked)
    found: list[Any] = rows_on_host(name, [(one,) for one in there], ranks, options)
    moved: list[Any] = Crossing(cupy).move(found, Place.DEVICE)
    return moved


def _named(name: str, arguments: int, options: Any) -> Callable[[Any], Any]:
    """Puts several results into the named tuple that NumPy gives; CuPy gives a plain one."""
    like = getattr(np.linalg, name)(*[np.eye(1)] * arguments, **options)
    make = getattr(type(like), "_make", tuple)
    return lambda results: make(results) if isinstance(results, tuple) else results


def _stackable_rows(cupy: Any, rows: list[Any], ranks: Sequence[tuple[int, ...]]) -> bool:
    return bool(rows) and all(
        isinstance(a, cupy.ndarray) and a.ndim in allowed
        for row in rows for a, allowed in zip(row, ranks, strict=True)
    )  # fmt: skip


def _single(cupy: Any, name: str, row: tuple[Any, ...], options: Any) -> Any:
    if cupy is None or not any(isinstance(a, cupy.ndarray) for a in row):
        return getattr(np.linalg, name)(*row, **options)
    return _named(name, len(row), options)(getattr(cupy.linalg, name)(*row, **options))


def _anywhere(name: str, rows: list[Any], ranks: Any, options: Any) -> list[Any]:
    """NumPy's matrices where they are computed soonest, with results and errors of NumPy's.

    What is not finite is left to NumPy, whose functions differ from each other and from cuSOLVER's
    in what they make of it, and so is a matrix for which the device finds no result.
    """
    try:
        cupy = usable_cupy()
    except DeviceUnavailable:
        return rows_on_host(name, rows, ranks, options)
    if all(a.dtype.char in "fdFD" and np.isfinite(a).all() for row in rows for a in row):
        refused: tuple[type[BaseException], ...] = (
            np.linalg.LinAlgError,
            *out_of_memory_errors(cupy),
        )
        try:
            return _on_device(cupy, name, rows, options)
        except refused:
            return rows_on_host(name, rows, ranks, options)
    return rows_on_host(name, rows, ranks, options)


def _on_device(cupy: Any, name: str, rows: list[Any], options: Any) -> list[Any]:
    from gpuport.runtime.batched.streams import streamed

    function, named = algorithm(cupy, name), _named(name, len(rows[0]), options)
    parts = list(places_of(cupy, rows, streams=True))
    columns = (list(zip(*(rows[place] for place in places), strict=True)) for places in parts)
    with linalg_errors:
        results = streamed(cupy, columns, lambda *stack: on_stack(function, list(stack), options))
        found = [named(one) for one in results]
    return unstack(zip(parts, found, strict=True))
