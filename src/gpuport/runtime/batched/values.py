"""What stacked code calls for a stack that NumPy calls for each item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy, usable_cupy
from gpuport.runtime.kinds import SUPPORTED_DTYPES


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


def elements(rows: Sequence[Any], *, each: bool = False) -> Any:
    """``numpy.array`` of numbers, or of arrays of one shape, some of them on the device.

    Parameters
    ----------
    rows : list or tuple
        Of numbers and arrays without axes, or of lists and tuples of these to any depth. What may
        be either may be arrays of one shape as well.
    each : bool
        Whether arrays may be stacks of such numbers too, shape (n,), one for each item.

    Returns
    -------
    cupy.ndarray, shape (rows, ...), with the axes of its arrays behind, or (n, rows, ...)
        Of the dtype that NumPy gives such an array: that of a number of Python's is what NumPy
        makes of it alone. On the host path this is ``numpy.array`` itself.

    Raises
    ------
    ValueError
        Where the rows are of unequal lengths, or one element alone has axes, as NumPy does.
    """
    cupy = loaded_cupy()
    if cupy is not None and isinstance(rows, cupy.ndarray):  # of all items, that were stacked
        return cupy.array(rows)
    leaves = list(_leaves(rows))
    arrays = [leaf for _, leaf in leaves if cupy is not None and isinstance(leaf, cupy.ndarray)]
    if not arrays:  # numbers of Python's alone: what takes the array works on the device
        return np.array(rows) if cupy is None else cupy.asarray(np.array(rows))
    shape = _shape(rows)
    shapes = {np.shape(leaf) for _, leaf in leaves}
    if any(one.ndim > 1 for one in arrays) if each else len(shapes) > 1:
        raise ValueError(_INHOMOGENEOUS)
    dtypes = [getattr(leaf, "dtype", None) or np.array(leaf).dtype for _, leaf in leaves]
    dtype = np.result_type(*dtypes)
    if not each:
        found = cupy.empty((*shape, *shapes.pop()), dtype)
        for place, leaf in leaves:
            found[place] = cupy.asarray(leaf) if isinstance(leaf, np.ndarray) else leaf
        return found
    items = next((one.shape for one in arrays if one.ndim), ())
    found = cupy.empty((*items, *shape), dtype)
    for place, leaf in leaves:
        found[(..., *place)] = leaf
    return found


_INHOMOGENEOUS = (
    "setting an array element with a sequence. The requested array has an inhomogeneous shape"
)


def _leaves(rows: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    if not isinstance(rows, (list, tuple)):
        yield place, rows
        return
    for number, row in enumerate(rows):
        yield from _leaves(row, (*place, number))


def _shape(rows: Any) -> tuple[int, ...]:
    """The shape of nested lists, all of one length at each depth."""
    if not isinstance(rows, (list, tuple)):
        return ()
    inner = {_shape(row) for row in rows}
    if len(inner) > 1:
        raise ValueError(_INHOMOGENEOUS)
    return (len(rows), *(inner.pop() if inner else ()))


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
    dtype = np.result_type(stack.dtype, other)
    return stack.any(axis=0) if dtype.kind == "b" else stack.sum(axis=0, dtype=dtype)


def total_outer(left: Any, right: Any, start: Any) -> Any:
    """What a loop that adds the outer product of each pair of vectors adds in all.

    Parameters
    ----------
    left : cupy.ndarray, shape (n, p)
    right : cupy.ndarray, shape (n, q)
    start : array or number
        What the loop adds them to: its dtype has a part in that of the sum.

    Returns
    -------
    cupy.ndarray, shape (p, q)
        One product of the two, so that the n outer products take no memory. Where each of them is
        rounded to another dtype than the sum has, or may overflow, they are made piece by piece.
    """
    cupy = loaded_cupy()
    product = np.result_type(left.dtype, right.dtype)
    other = start.dtype if isinstance(start, cupy.ndarray) else start
    dtype = np.result_type(product, other)
    if product.kind in "fc" and dtype == product:
        return left.astype(dtype, copy=False).T @ right.astype(dtype, copy=False)
    step = max(1, _PIECE // max(1, left.shape[1] * right.shape[1]))
    found = cupy.zeros((left.shape[1], right.shape[1]), dtype)
    for first in range(0, len(left), step):
        piece = slice(first, first + step)
        found += total(left[piece, :, None] * right[piece, None], start)
    return found


_PIECE = 2**24
"""Elements of outer products that are made at a time."""


def replaced(stack: Any, places: Any, items: Any) -> Any:
    """A copy of a stack with other items at some places.

    Parameters
    ----------
    stack : cupy.ndarray, shape (n, ...)
    places : cupy.ndarray of int, shape (k,)
    items : cupy.ndarray, shape (k, ...)

    Returns
    -------
    cupy.ndarray, shape (n, ...)

    Raises
    ------
    ValueError
        Where the new items have another shape or dtype than the others: no stack holds both.
    """
    if (stack.shape[1:], stack.dtype) != (items.shape[1:], items.dtype):
        kinds = [f"{one.dtype} of shape {one.shape[1:]}" for one in (stack, items)]
        raise ValueError(f"items that a condition changes become {kinds[1]}, from {kinds[0]}")
    found = stack.copy()
    found[places] = items
    return found


def numbers(values: Any) -> Any:
    """An array that lies on the host, on the device: the numbers that a loop goes over.

    Parameters
    ----------
    values : numpy.ndarray, shape (n, ...), or anything else

    Returns
    -------
    cupy.ndarray, shape (n, ...)
        Anything else comes back as it is, and so does an array where there is no usable device.
    """
    cupy = loaded_cupy()
    plain = type(values) is np.ndarray and values.dtype.char in SUPPORTED_DTYPES
    if not plain or cupy is None or not cupy.cuda.is_available():
        return values
    return cupy.asarray(values)


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
