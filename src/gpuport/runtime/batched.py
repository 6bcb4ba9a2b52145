"""Many matrices of one shape as one stack: what ported loops over matrices call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuport.runtime.fallback import loaded_cupy

Many = Any
"""One array or several in a tuple."""


def stackable(
    stacks: Mapping[int, Many],
    *,
    fixed: Mapping[int, Many] | None = None,
    length: int | None = None,
    writes: Many = (),
) -> bool:
    """Whether a loop over the items of some arrays is one computation on whole arrays.

    Parameters
    ----------
    stacks : mapping of int to array or tuple of arrays
        By the number of axes that they must have: the arrays that the loop goes over, item by
        item along the first axis, and those that it writes.
    fixed : mapping of int to value or tuple of values, optional
        By the number of axes: what is the same for all items; numbers have none.
    length : int, optional
        How many items each array must have.
    writes : array or tuple of arrays
        Those of the arrays that the loop writes.

    Returns
    -------
    bool
        True where all stacks are on the device with these numbers of axes and the same number of
        items, not none, and no array that is written shares memory with another one. False
        wherever an array is NumPy's, so that the loop itself runs.
    """
    cupy = loaded_cupy()
    if cupy is None:
        return False
    arrays = list(_flat(stacks))
    if not all(isinstance(a, cupy.ndarray) and a.ndim == rank for rank, a in arrays):
        return False
    lengths = {a.shape[0] for _, a in arrays}
    if lengths == {0} or len(lengths) != 1 or (length is not None and lengths != {length}):
        return False
    others = [value for _, value in _flat(fixed or {})]
    if any(_rank(cupy, value) != rank for rank, value in _flat(fixed or {})):
        return False
    others += [a for _, a in arrays]
    written = writes if isinstance(writes, tuple) else (writes,)
    return not any(_shared(cupy, one, others) for one in written)


def _flat(by_rank: Mapping[int, Many]) -> Iterator[tuple[int, Any]]:
    for rank, values in by_rank.items():
        for value in values if isinstance(values, tuple) else (values,):
            yield rank, value


def _rank(cupy: Any, value: Any) -> int | None:
    """Number of axes of an array of the device or a number; None for anything else."""
    if isinstance(value, cupy.ndarray):
        return int(value.ndim)
    if value is None or isinstance(value, (bool, int, float, complex)):
        return 0
    return 0 if hasattr(value, "dtype") and getattr(value, "shape", None) == () else None


def _shared(cupy: Any, written: Any, others: list[Any]) -> bool:
    if sum(other is written for other in others) > 1:
        return True
    return any(
        isinstance(other, cupy.ndarray) and cupy.may_share_memory(written, other)
        for other in others if other is not written
    )  # fmt: skip


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
