"""What stacked code calls for a stack that NumPy calls for each item."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy, usable_cupy


def diag(vectors: Any) -> Any:
    """Matrices with these diagonals.

    Parameters
    ----------
    vectors : cupy.ndarray, shape (..., n)

    Returns
    -------
    cupy.ndarray, shape (..., n, n)
        As ``numpy.diag`` of each vector: zero elsewhere, also where the vector holds NaN.
    """
    cupy = loaded_cupy()
    n = vectors.shape[-1]
    matrices = cupy.zeros((*vectors.shape, n), dtype=vectors.dtype)
    places = cupy.arange(n)
    matrices[..., places, places] = vectors
    return matrices


def total(stack: Any, start: Any) -> Any:
    """What a loop that adds the items of a stack to something adds in all.

    Parameters
    ----------
    stack : cupy.ndarray, shape (n, ...)
    start : array or number
        What the loop adds them to: its dtype has a part in that of the sum.

    Returns
    -------
    cupy.ndarray, shape (...)
        Items of lower precision than `start` are summed with its precision.

    Raises
    ------
    TypeError
        Where the sum has no place in `start`, as when complex items are added to real numbers.
    """
    cupy = loaded_cupy()
    other = start.dtype if isinstance(start, cupy.ndarray) else start
    return stack.sum(axis=0, dtype=np.result_type(stack.dtype, other))


def upload(arrays: list[Any]) -> list[Any]:
    """A list of arrays, on the device; those of one shape and dtype cross in one transfer.

    Parameters
    ----------
    arrays : list of array

    Returns
    -------
    list of cupy.ndarray
        Arrays that are on the device already are the same objects.
    """
    from gpuport.runtime.transfer import Crossing, Place

    moved: list[Any] = Crossing(usable_cupy()).move(arrays, Place.DEVICE)
    return moved
