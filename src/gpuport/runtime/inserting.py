"""`numpy.insert` on the device: CuPy has none."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """``numpy.insert``, of an array of the device on the device.

    Parameters
    ----------
    arr : cupy.ndarray or numpy.ndarray
    obj : int, slice, list or array of int or of bool
        Before which elements, counted before anything is put in; the host waits for one of the
        device.
    values : array, list or number
        Cast to the dtype of `arr`.
    axis : int, optional
        Without it `arr` is flattened.

    Returns
    -------
    cupy.ndarray or numpy.ndarray

    Raises
    ------
    IndexError, ValueError, TypeError
        As `numpy.insert` raises them.
    """
    cupy = loaded_cupy()
    if cupy is not None and isinstance(obj, cupy.ndarray):
        obj = cupy.asnumpy(obj)
    if cupy is None or not isinstance(arr, cupy.ndarray):
        if cupy is not None and isinstance(values, cupy.ndarray):
            arr = cupy.asarray(arr)
            return insert(arr, obj, values, axis)
        return np.insert(arr, obj, values, axis)
    if axis is None:
        arr, axis = arr.ravel(), 0
    # Where what stands in the result comes from: NumPy says so of numbers, and it raises.
    size = arr.shape[axis]
    axis = range(arr.ndim)[axis]
    single = not isinstance(obj, slice) and np.ndim(obj) == 0
    given = cupy.asarray(values).astype(arr.dtype, copy=False)
    given = given.reshape((1,) * (arr.ndim - given.ndim) + given.shape)
    if single:
        given = cupy.moveaxis(given, 0, axis)
    count = given.shape[axis] if single or np.size(_places(obj, size)) == 1 else 1
    places = np.insert(np.arange(size), obj, [-1] * count if count != 1 else -1)
    new = places < 0
    shape = (*arr.shape[:axis], len(places), *arr.shape[axis + 1 :])
    order = "F" if arr.flags.f_contiguous and not arr.flags.c_contiguous else "C"
    found = cupy.empty(shape, arr.dtype, order)
    before = (slice(None),) * axis
    if _is_run(new):
        first = int(np.argmax(new)) if new.any() else len(new)
        last = first + int(new.sum())
        found[(*before, slice(first))] = arr[(*before, slice(first))]
        found[(*before, slice(last, None))] = arr[(*before, slice(first, None))]
        found[(*before, slice(first, last))] = given
        return found
    found[(*before, cupy.asarray(np.flatnonzero(~new)))] = arr
    found[(*before, cupy.asarray(_in_order(obj, size)))] = given
    return found


def _places(obj: Any, size: int) -> Any:
    """The places before which something is put, as NumPy reads them."""
    places = np.arange(size)[obj] if isinstance(obj, slice) else np.asarray(obj)
    return np.flatnonzero(places) if places.dtype == bool else places


def _in_order(obj: Any, size: int) -> Any:
    """Where each of the values goes in the result."""
    places = np.array(_places(obj, size), np.intp).ravel()
    places[places < 0] += size
    order = places.argsort(kind="stable")
    places[order] += np.arange(len(places))
    return places


def _is_run(new: Any) -> bool:
    """Whether all that is new stands side by side."""
    at = np.flatnonzero(new)
    return not len(at) or int(at[-1] - at[0]) + 1 == len(at)


__all__ = ["insert"]
