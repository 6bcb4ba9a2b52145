"""Whether a loop over the items of some arrays is one computation on whole arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, ValuesView
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy

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
    floating: Many = (),
    along: Mapping[int, Mapping[int, Many]] | None = None,
    integers: Many = (),
    several: Mapping[int, Many] | None = None,
) -> bool:
    """Whether a loop over the items of some arrays is one computation on whole arrays.

    Parameters
    ----------
    stacks : mapping of int to array or tuple of arrays, optional
        By the number of axes that they must have: the arrays that the loop goes over, item by
        item along the first axis, and those that it writes.
    items : mapping of int to list or tuple of lists, optional
        Lists (or arrays) that the loop goes over, by the number of axes that their items must
        have; where the items are tuples of arrays, by the numbers of axes of these. What may be a
        tuple itself stands in one, ``(items,)``.
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
    floating : array or tuple of arrays
        Those of them that have to be of floating or complex numbers.
    along : mapping of int to (mapping of int to array or tuple of arrays), optional
        By the axis along which their items lie: further arrays like those in `stacks`.
    integers : array or list, or tuple of these
        Those of the stacks and lists whose items are indices.
    several : mapping of int to array or list, or tuple of these
        By an axis of their items: those whose items have more than one row, or column, along it.

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
    listed = list(_flat(items or {}))
    turned = [(axis, rank, a) for axis, one in (along or {}).items() for rank, a in _flat(one)]
    shared = [*_flat(fixed or {}), *_flat(at_most or {})]
    lengths = {len(values) for _, values in listed if hasattr(values, "__len__")}
    if not (
        all(isinstance(a, cupy.ndarray) and a.ndim == rank for rank, a in arrays)
        and all(_listed(cupy, values, rank) for rank, values in listed)
        and all(isinstance(a, cupy.ndarray) and a.ndim == rank for _, rank, a in turned)
        and all(_rank(cupy, value) == rank for rank, value in _flat(fixed or {}))
        and all(_has_at_most(cupy, value, most) for most, value in _flat(at_most or {}))
        and all(_of_integers(cupy, one) for one in _several(integers))
        and all(getattr(one, "dtype", np.dtype("O")).kind in "fc" for one in _several(floating))
        and all(_has_several(cupy, one, axis) for axis, one in _flat(several or {}))
    ):
        return False
    lengths |= {len(a) for _, a in arrays} | {a.shape[axis] for axis, _, a in turned}
    if len(lengths) != 1 or lengths == {0} or (length is not None and lengths != {length}):
        return False
    changed = (*_several(writes), *_several(adds))
    if not changed:
        return True
    others = [value for _, value in (*shared, *arrays)] + [a for _, _, a in turned]
    others += [leaf for _, values in listed for leaf in _leaves(cupy, values)]
    return _alone(cupy, changed, [*others, *_several(adds)])


def _several(given: Many) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def _alone(cupy: Any, changed: tuple[Any, ...], others: list[Any]) -> bool:
    """Whether arrays that are changed are on the device and share memory with no other one."""
    on_device = all(isinstance(one, cupy.ndarray) for one in changed)
    return on_device and not any(_shared(cupy, one, others) for one in changed)


def _has_at_most(cupy: Any, value: Any, most: int) -> bool:
    rank = _rank(cupy, value)
    return rank is not None and rank <= most


def _of_integers(cupy: Any, values: Any) -> bool:
    """Whether an array, or all arrays of a list, hold whole numbers."""
    return all(leaf.dtype.kind in "iu" for leaf in _leaves(cupy, values))


def _has_several(cupy: Any, values: Any, axis: int) -> bool:
    """Whether all items of an array or list have more than one row, or column."""
    if isinstance(values, cupy.ndarray):
        return bool(values.shape[axis + 1] > 1)
    return all(item.shape[axis] > 1 for item in values)


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
