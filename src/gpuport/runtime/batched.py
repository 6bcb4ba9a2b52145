"""Many matrices of one shape as one stack: what ported loops over matrices call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from itertools import pairwise
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy, usable_cupy

Many = Any
"""One array or several in a tuple."""


def stackable(
    stacks: Mapping[int, Many] | None = None,
    *,
    items: Mapping[int | tuple[int, ...], Many] | None = None,
    fixed: Mapping[int, Many] | None = None,
    at_most: Mapping[int, Many] | None = None,
    length: int | None = None,
    writes: Many = (),
    adds: Many = (),
) -> bool:
    """Whether a loop over the items of some arrays is one computation on whole arrays.

    Parameters
    ----------
    stacks : mapping of int to array or tuple of arrays, optional
        By the number of axes that they must have: the arrays that the loop goes over, item by
        item along the first axis, and those that it writes.
    items : mapping of int to list or tuple of lists, optional
        Lists (or arrays) that the loop goes over, by the number of axes that their items must
        have; where the items are tuples of arrays, by the numbers of axes of these.
    fixed : mapping of int to value or tuple of values, optional
        By the number of axes: what is the same for all items; numbers have none.
    at_most : mapping of int to value or tuple of values, optional
        Likewise, by the number of axes that they may have at most.
    length : int, optional
        How many items each array must have.
    writes : array or tuple of arrays
        Those of the stacks that the loop writes.
    adds : array or tuple of arrays
        Further arrays, each of which it adds a value of every item to.

    Returns
    -------
    bool
        True where all stacks are on the device with these numbers of axes and the same number of
        items, not none, and no array that is written or added to shares memory with another one.
        False wherever an array is NumPy's, so that the loop itself runs.
    """
    cupy = loaded_cupy()
    if cupy is None:
        return False
    arrays = list(_flat(stacks or {}))
    if not all(isinstance(a, cupy.ndarray) and a.ndim == rank for rank, a in arrays):
        return False
    listed = list(_flat(items or {}))
    if not all(_listed(cupy, values, rank) for rank, values in listed):
        return False
    lengths = {len(values) for _, values in (*arrays, *listed)}
    if lengths == {0} or len(lengths) != 1 or (length is not None and lengths != {length}):
        return False
    written = writes if isinstance(writes, tuple) else (writes,)
    added = adds if isinstance(adds, tuple) else (adds,)
    others = [value for _, value in _flat(fixed or {})]
    if any(_rank(cupy, value) != rank for rank, value in _flat(fixed or {})):
        return False
    for most, value in _flat(at_most or {}):
        rank = _rank(cupy, value)
        if rank is None or rank > most:
            return False
        others.append(value)
    others += [a for _, a in arrays]
    if written or added:
        others += [leaf for _, values in listed for leaf in _leaves(cupy, values)]
    if not all(isinstance(one, cupy.ndarray) for one in added):
        return False
    others += added
    return not any(_shared(cupy, one, others) for one in (*written, *added))


def _listed(cupy: Any, values: Any, rank: int | tuple[int, ...]) -> bool:
    """Whether all items of a list or array are on the device with these numbers of axes."""
    if isinstance(values, cupy.ndarray):
        return bool(values.ndim - 1 == rank and values.ndim > 0)
    if not isinstance(values, (list, tuple, ValuesView)):
        return False
    if isinstance(rank, tuple):
        return all(
            isinstance(item, tuple) and len(item) == len(rank)
            and all(isinstance(a, cupy.ndarray) and a.ndim == n
                    for a, n in zip(item, rank, strict=True))
            for item in values
        )  # fmt: skip
    return all(isinstance(item, cupy.ndarray) and item.ndim == rank for item in values)


def _leaves(cupy: Any, values: Any) -> Iterator[Any]:
    if isinstance(values, cupy.ndarray):
        yield values
        return
    for item in values:
        if isinstance(item, tuple):
            yield from item
        else:
            yield item


def _flat(by_rank: Mapping[Any, Many]) -> Iterator[tuple[Any, Any]]:
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


def stacks(*sequences: Any) -> Iterator[tuple[Any, ...]]:
    """The items of some lists, gone through in step, in stacks of one shape and dtype each.

    Parameters
    ----------
    *sequences : list, tuple or cupy.ndarray
        Lists of arrays, of tuples of arrays, or arrays whose items these are. All must be as long
        as the first.

    Yields
    ------
    tuple
        Where the items of the stack stand in the lists, as something that an array may be indexed
        with; then a stack for each list (of tuples, one for each array in them).

    Notes
    -----
    A group that is larger than a quarter of the device's free memory comes in several stacks.
    """
    cupy = loaded_cupy()
    if len(sequences) and all(isinstance(one, cupy.ndarray) for one in sequences):
        yield (slice(None), *sequences)
        return
    rows = [_row(items) for items in zip(*sequences, strict=True)]
    groups: dict[Any, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(tuple((a.shape, a.dtype) for a in row), []).append(place)
    for group in groups.values():
        for places in _chunks(cupy, group, rows[group[0]]):
            columns = zip(*(rows[place] for place in places), strict=True)
            yield (_index(places, len(rows)), *(_together(cupy, column) for column in columns))


def _together(cupy: Any, arrays: Sequence[Any]) -> Any:
    """A stack of some arrays of one shape and dtype.

    Where they are evenly spaced parts of one block of memory, as the items of an earlier stack
    are, it is a view of that; of the tiles of a grid it is one copy. Items that run backwards are
    copied: where they start is not where their memory does.
    """
    first = arrays[0]
    if len(arrays) == 1:
        return first[None]
    blocks = {(a.data.mem.ptr, a.data.mem.size) for a in arrays}
    forwards = all(step >= 0 for step in first.strides)
    if len(blocks) == 1 and forwards and all(a.strides == first.strides for a in arrays):
        grid = _grid([a.data.ptr for a in arrays])
        if grid is not None:
            counts, steps = zip(*grid, strict=True)
            shape, strides = (*counts, *first.shape), (*steps, *first.strides)
            found = cupy.ndarray(shape, first.dtype, first.data, strides)
            return found.reshape(len(arrays), *first.shape) if len(grid) > 1 else found
    return cupy.stack(arrays)


def _grid(addresses: list[int]) -> list[tuple[int, int]] | None:
    """How many rows and columns, and how far apart, where addresses run through a grid.

    Of one row only the columns are given; None where the addresses are no grid, or go backwards.
    """
    steps = [b - a for a, b in pairwise(addresses)]
    step = steps[0] if steps else 0
    if step <= 0:
        return None
    columns = next((k for k, one in enumerate(steps, 1) if one != step), len(addresses))
    rows = addresses[::columns]
    if len(addresses) == columns:
        return [(columns, step)]
    down = rows[1] - rows[0]
    even = down > 0 and len(addresses) == len(rows) * columns
    places = [rows[0] + r * down + c * step for r in range(len(rows)) for c in range(columns)]
    return [(len(rows), down), (columns, step)] if even and places == addresses else None


def _row(items: tuple[Any, ...]) -> tuple[Any, ...]:
    row: list[Any] = []
    for item in items:
        row.extend(item if isinstance(item, tuple) else (item,))
    return tuple(row)


def _chunks(cupy: Any, group: list[int], row: tuple[Any, ...]) -> Iterator[list[int]]:
    """Parts of a group that fit into the device's memory with what is computed from them."""
    size = max(sum(int(a.nbytes) for a in row), 1)
    most = len(group)
    if size * most > _SMALL:
        free, _ = cupy.cuda.runtime.memGetInfo()
        most = max(1, free // 4 // size)
    for start in range(0, len(group), most):
        yield group[start : start + most]


_SMALL = 2**26
"""Bytes of a group below which nobody asks how much memory there is."""


def _index(places: list[int], length: int) -> Any:
    """Places as an index: a slice where they are evenly spaced, which costs no transfer."""
    if len(places) == length:
        return slice(None)
    step = places[1] - places[0] if len(places) > 1 else 1
    last = places[0] + step * (len(places) - 1)
    if places == list(range(places[0], last + 1, step)):
        return slice(places[0], last + 1, step)
    return places


def unstack(stacked: Iterable[tuple[Any, Any]]) -> list[Any]:
    """The items of some stacks, in the order that they had in the lists they came from.

    Parameters
    ----------
    stacked : iterable of (index, stack)
        Indices as :func:`stacks` gives them, each with an array whose first axis holds the items,
        or a tuple of such arrays.

    Returns
    -------
    list
        Views of the stacks, or tuples of views.
    """
    pairs = list(stacked)
    length = sum(len(one[0] if isinstance(one, tuple) else one) for _, one in pairs)
    found: list[Any] = [None] * length
    for index, one in pairs:
        places = range(*index.indices(length)) if isinstance(index, slice) else index
        for place, item in zip(places, _items(one), strict=True):
            found[place] = item
    return found


def array(stacked: Iterable[tuple[Any, Any]]) -> Any:
    """The items of some stacks as one array in the order of the lists they came from.

    Parameters
    ----------
    stacked : iterable of (index, stack)
        As :func:`unstack` takes them, each stack an array.

    Returns
    -------
    cupy.ndarray or list
        A list of the items where their shapes or dtypes differ.
    """
    pairs = list(stacked)
    first = pairs[0][1] if pairs else None
    if first is None or any(
        isinstance(one, tuple) or one.shape[1:] != first.shape[1:] or one.dtype != first.dtype
        for _, one in pairs
    ):
        return unstack(pairs)
    if len(pairs) == 1:
        return first
    cupy = loaded_cupy()
    found = cupy.empty((sum(len(one) for _, one in pairs), *first.shape[1:]), dtype=first.dtype)
    for index, one in pairs:
        found[index] = one
    return found


def _items(stack: Any) -> Iterator[Any]:
    if not isinstance(stack, tuple):
        yield from stack
        return
    make = getattr(type(stack), "_make", tuple)
    for row in zip(*stack, strict=True):
        yield make(row)


def _each(
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
    function = getattr(cupy.linalg, name)
    columns = [list(column) for column in zip(*rows, strict=True)]
    try:
        return unstack(
            (index, _stacked(function, parts, options)) for index, *parts in stacks(*columns)
        )
    except np.linalg.LinAlgError:
        for place, row in enumerate(rows):
            try:
                function(*row, **options)
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


_MATRIX = ((2,),)


def inv(matrices: Any) -> list[Any]:
    """``numpy.linalg.inv`` of each matrix, in order.

    Parameters
    ----------
    matrices : list of array, or array with three axes

    Returns
    -------
    list of array

    Raises
    ------
    numpy.linalg.LinAlgError
        Where a matrix is singular; a note names the first.
    """
    return _each("inv", _MATRIX, (matrices,), {})


def pinv(matrices: Any, rcond: float = 1e-15) -> list[Any]:
    """``numpy.linalg.pinv`` of each matrix, in order; see :func:`inv`."""
    return _each("pinv", _MATRIX, (matrices,), {"rcond": rcond})


def cholesky(matrices: Any) -> list[Any]:
    """``numpy.linalg.cholesky`` of each matrix, in order; see :func:`inv`."""
    return _each("cholesky", _MATRIX, (matrices,), {})


def det(matrices: Any) -> list[Any]:
    """``numpy.linalg.det`` of each matrix, in order; see :func:`inv`."""
    return _each("det", _MATRIX, (matrices,), {})


def slogdet(matrices: Any) -> list[Any]:
    """``numpy.linalg.slogdet`` of each matrix, in order; see :func:`inv`."""
    return _each("slogdet", _MATRIX, (matrices,), {})


def eigh(matrices: Any, UPLO: str = "L") -> list[Any]:
    """``numpy.linalg.eigh`` of each matrix, in order; see :func:`inv`."""
    return _each("eigh", _MATRIX, (matrices,), {"UPLO": UPLO})


def eigvalsh(matrices: Any, UPLO: str = "L") -> list[Any]:
    """``numpy.linalg.eigvalsh`` of each matrix, in order; see :func:`inv`."""
    return _each("eigvalsh", _MATRIX, (matrices,), {"UPLO": UPLO})


def svd(matrices: Any, full_matrices: bool = True, compute_uv: bool = True) -> list[Any]:
    """``numpy.linalg.svd`` of each matrix, in order; see :func:`inv`."""
    options = {"full_matrices": full_matrices, "compute_uv": compute_uv}
    return _each("svd", _MATRIX, (matrices,), options)


def qr(matrices: Any, mode: str = "reduced") -> list[Any]:
    """``numpy.linalg.qr`` of each matrix, in order; see :func:`inv`."""
    return _each("qr", _MATRIX, (matrices,), {"mode": mode})


def matrix_rank(matrices: Any, tol: float | None = None) -> list[Any]:
    """``numpy.linalg.matrix_rank`` of each matrix, in order; see :func:`inv`."""
    return _each("matrix_rank", _MATRIX, (matrices,), {} if tol is None else {"tol": tol})


def solve(matrices: Any, right: Any) -> list[Any]:
    """``numpy.linalg.solve`` of each matrix and its right side, in order; see :func:`inv`.

    Parameters
    ----------
    matrices, right : list of array, or array
        Gone through in step, up to the end of the shorter one. Each right side is a vector or a
        matrix.
    """
    return _each("solve", ((2,), (1, 2)), (matrices, right), {})
