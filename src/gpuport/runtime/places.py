"""Sums at places that an array names: ``x[places] += values`` as NumPy has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def add_to(target: Any, places: Any, values: Any, *, subtract: bool = False) -> None:
    """``target[places] += values``: where a place is named twice, it is added to once.

    Parameters
    ----------
    target : cupy.ndarray or numpy.ndarray, of any shape and dtype
        Changed in place.
    places : array or int, or tuple of these
        Whole numbers or truth values, as ``target[places]`` takes them: at most one for each axis.
    values : array or number
        Of a shape that broadcasts to that of ``target[places]``.
    subtract : bool
        Whether the values are taken away.

    Raises
    ------
    IndexError
        Where a place is out of range.

    Notes
    -----
    Of several values for one place NumPy keeps the last, CuPy any of them: these sums are made on
    the host.
    """
    cupy = loaded_cupy()
    if cupy is None or not isinstance(target, cupy.ndarray):
        change(target, places, values, subtract)
        return
    given = places if isinstance(places, tuple) else (places,)
    if all(isinstance(one, int) for one in given):
        change(target, places, values, subtract)
        return
    indices = [cupy.asarray(one) for one in given]
    if len(given) <= target.ndim and all(index.dtype.kind in "iu" for index in indices):
        indices = in_range(cupy, indices, target.shape)
        if names_twice(cupy, indices, target.shape):
            summed = cupy.asnumpy(target)
            on_host = cupy.asnumpy(values) if isinstance(values, cupy.ndarray) else values
            change(summed, tuple(map(cupy.asnumpy, indices)), on_host, subtract)
            target[...] = cupy.asarray(summed)
            return
    change(target, tuple(indices), values, subtract)


def change(target: Any, places: Any, values: Any, subtract: bool) -> None:
    """``target[places] += values``, or ``-=``.

    A single element is a number of NumPy's, whose sum is cast as any value is that is stored.
    """
    part = target[places]
    if not part.ndim:
        target[places] = part - values if subtract else part + values
    elif subtract:
        target[places] -= values
    else:
        target[places] += values


def in_range(cupy: Any, indices: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
    """Indices of the first axes without negative numbers.

    Raises
    ------
    IndexError
        Where one is out of range.
    """
    found = []
    for axis, (index, size) in enumerate(zip(indices, sizes, strict=False)):
        wrong = (index < -size) | (index >= size)
        if bool(wrong.any()):
            first = int(index[wrong][0])
            raise IndexError(f"index {first} is out of bounds for axis {axis} with size {size}")
        found.append(cupy.where(index < 0, index + size, index))
    return found


def names_twice(
    cupy: Any, indices: Sequence[Any], sizes: Sequence[int], *, each: bool = False
) -> bool:
    """Whether indices without negative numbers name a place twice.

    Parameters
    ----------
    cupy : module
    indices : sequence of cupy.ndarray
        They broadcast against each other.
    sizes : sequence of int
        Lengths of the axes.
    each : bool
        Whether the first axis of the indices is that of items, each of which is asked for alone.
    """
    shape = np.broadcast_shapes(*(index.shape for index in indices))
    rows = (shape[0], -1) if each else (1, -1)
    if 0 in shape or int(np.prod(shape[each:])) < 2:
        return False
    flat = cupy.zeros((), np.int64)
    for index, size in zip(indices, sizes, strict=False):
        flat = flat * size + index
    ordered = cupy.sort(cupy.broadcast_to(flat, shape).reshape(rows), axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


__all__ = ["add_to", "change", "in_range", "names_twice"]
