"""Indexing as CuPy does it: views for scalars, wrapped integer arrays, scrambled duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import counters
from gpuport.host.array.base import Array, wrap
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast
from gpuport.host.indices import alike, prepare, within
from gpuport.host.launches import MASK_READ
from gpuport.host.memoryorder import in_c_order
from gpuport.host.state import cupy_major
from gpuport.host.structured import check_kernel_type, fields, names_fields

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray


def _count(masks: int, arrays: int, kernel: str) -> None:
    KERNELS[kernel] += MASK_READ * masks + (1 if arrays else 0)
    for _ in range(masks):
        counters.d2h(4)


_PLAIN = frozenset({int, type(None)})


def _is_plain(values: Any, key: Any) -> bool:
    """Whether the key is an integer in range, or a slice between integers: ready for NumPy."""
    kind = type(key)
    if kind is int:
        return bool(values.ndim > 0 and -values.shape[0] <= key < values.shape[0])
    return (
        kind is slice
        and values.ndim > 0
        and type(key.start) in _PLAIN
        and type(key.stop) in _PLAIN
        and type(key.step) in _PLAIN
    )


def read(array: Array, key: Any) -> ndarray:
    """``array[key]``: a view for integers and slices, a copy for arrays."""
    if _is_plain(array._a, key):
        return wrap(array._a[key, ...], array)
    if isinstance(key, Array) and (found := _by_one(array._a, key._a)) is not None:
        return found
    if array._a.dtype.kind == "V" and names_fields(array._a.dtype, key):
        return fields(array, key)  # type: ignore[no-any-return]
    prepared, masks, arrays = prepare(array._a.shape, key)
    if not masks and not arrays:
        if not any(part is Ellipsis for part in prepared):
            prepared = (*prepared, Ellipsis)  # a view even where NumPy gives a scalar
        return wrap(array._a[prepared], array)
    _count(masks, arrays, "cupy_take" if arrays else "cupy_getitem_mask")
    return wrap(in_c_order(array._a[prepared]))


def _by_one(values: Any, index: Any) -> ndarray | None:
    """What one device array chooses: a mask of the shape, or numbers of places. A short way."""
    if index.dtype.kind == "b":
        if not index.ndim or index.shape != values.shape:
            return None
        KERNELS["cupy_getitem_mask"] += MASK_READ
        counters.d2h(4)
        return wrap(values[index])
    if index.dtype.kind not in "iu" or not values.ndim or not values.shape[0]:
        return None
    KERNELS["cupy_take"] += 1
    return wrap(in_c_order(values[within(index, values.shape[0])]))


def assign(array: Array, key: Any, value: Any) -> None:
    """``array[key] = value``."""
    if array._a.dtype.kind == "V" and names_fields(array._a.dtype, key):
        target = fields(array, key)._a
    elif _is_plain(array._a, key):
        target = array._a[key, ...]
    else:
        prepared, masks, arrays = prepare(array._a.shape, key)
        if masks or arrays:
            _scatter_update(array, prepared, masks, arrays, value)
            return
        if not any(part is Ellipsis for part in prepared):
            prepared = (*prepared, Ellipsis)
        target = array._a[prepared]
    value = alike(value)
    if isinstance(value, Array):
        if (value._a.shape == target.shape and value._a.strides == target.strides) and (
            value._a.__array_interface__["data"] == target.__array_interface__["data"]
        ):
            return
        KERNELS["cupy_copy"] += 1
        source = _cast_into(value._a, target.dtype)
        try:
            target[...] = source
        except ValueError as error:
            raise ValueError(
                f"operands could not be broadcast together with shapes {target.shape} {value.shape}"
            ) from error
        return
    fill(target, value)


def fill(target: Any, value: Any) -> None:
    """Set every element of a NumPy array to a value of the host.

    Raises
    ------
    ValueError
        For an array with axes.
    """
    exact = target.dtype.kind == "V" or cupy_major() >= 14
    filling = np.asarray(value, dtype=target.dtype if exact else None)
    if filling.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
    KERNELS["cupy_fill"] += 1
    if target.dtype.kind == "V":
        check_kernel_type(target.dtype)
    elif filling.dtype.kind == "c" and target.dtype.kind != "c":
        filling = _cast_into(filling, target.dtype)
    target[...] = filling if exact or isinstance(value, np.ndarray) else value


def _cast_into(values: Any, dtype: Any) -> Any:
    return values if values.dtype == dtype else cast(values, dtype)


def _source(array: Array, value: Any) -> Any:
    value = alike(value)
    if isinstance(value, Array):
        return _cast_into(value._a, array._a.dtype)
    if isinstance(value, (np.ndarray, list, tuple)) and np.ndim(value) > 0:
        values = np.array(value, dtype=array._a.dtype)
        counters.h2d(values.nbytes)
        return values
    KERNELS["cupy_fill"] += 1
    return np.array(value, dtype=array._a.dtype)


def _fitted(values: Any, shape: tuple[int, ...]) -> Any:
    while values.ndim > len(shape) and values.shape[0] == 1:
        values = values[0]
    try:
        return np.broadcast_to(values, shape)
    except ValueError as error:
        raise ValueError(
            f"operands could not be broadcast together with shape {values.shape} and "
            f"requested shape {shape}"
        ) from error


def _positions(array: Array, prepared: tuple[Any, ...]) -> Any:
    positions = np.arange(array._a.size).reshape(array._a.shape)
    return np.asarray(positions[prepared])


def _scatter_update(
    array: Array, prepared: tuple[Any, ...], masks: int, arrays: int, value: Any
) -> None:
    source = _source(array, value)
    _count(masks, arrays, "cupy_scatter_update")
    if source.size <= 1 and source.ndim == 0:
        array._a[prepared] = source
        return
    if not masks and (points := _points(array._a, prepared, source)) is not None:
        places, fitted = points
        step = -1 if fitted.size > 2 else 1  # copies: NumPy walks views backwards as it likes
        array._a[tuple(place[::step].copy() for place in places)] = fitted[::step].copy()
        return
    if len(prepared) == 1 and prepared[0].shape == array._a.shape:  # one mask
        array._a[prepared] = _fitted(source, (int(np.count_nonzero(prepared[0])),))
        return
    positions = _positions(array, prepared)
    fitted = _fitted(source, positions.shape)
    if not arrays:
        array._a[prepared] = fitted
        return
    # The device writes duplicates in no order. Above two elements the order is turned round here
    # and above, so that a program which relies on the last one winning shows it.
    order = np.arange(positions.size)[:: -1 if positions.size > 2 else 1]
    coordinates = np.unravel_index(positions.ravel()[order], array._a.shape)
    array._a[coordinates] = fitted.ravel()[order]


def _points(values: Any, prepared: tuple[Any, ...], source: Any) -> Any:
    """Places along the first axes, one array for each, and what is written to each of them.

    None where the key holds anything but whole numbers, or numbers that do not fit one another.
    """
    if not all(isinstance(part, (np.ndarray, np.integer, int)) for part in prepared):
        return None
    try:
        shape = np.broadcast_shapes(*(np.shape(part) for part in prepared))
    except ValueError:
        return None
    places = [np.broadcast_to(part, shape).ravel() for part in prepared]
    rest = values.shape[len(places) :]
    fitted = _fitted(source, shape + rest)
    return places, fitted.reshape(places[0].size, *rest)


def scatter(array: Array, key: Any, value: Any, operation: Any) -> None:
    """``array[key] = operation(array[key], value)``, every duplicate counted."""
    prepared, masks, arrays = prepare(array._a.shape, key)
    source = _source(array, value)
    _count(masks, arrays, "cupy_scatter_" + operation.__name__)
    if not masks and not arrays:
        KERNELS["cupy_" + operation.__name__] += 1
    if arrays and not masks and (points := _points(array._a, prepared, source)) is not None:
        operation.at(array._a, tuple(points[0]), points[1])
        return
    positions = _positions(array, prepared)
    fitted = _fitted(source, positions.shape)
    coordinates = np.unravel_index(positions.ravel(), array._a.shape) if array._a.ndim else ()
    operation.at(array._a, coordinates, fitted.ravel())
