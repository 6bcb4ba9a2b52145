"""Indexing as CuPy does it: views for scalars, wrapped integer arrays, scrambled duplicates."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import counters
from gpuport.host.array.base import Array, wrap
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast
from gpuport.host.indices import alike, places_in_arrays, prepare, wrapped
from gpuport.host.launches import MASK_READ
from gpuport.host.memoryorder import in_c_order
from gpuport.host.state import cupy_major
from gpuport.host.structured import check_kernel_type, fields, names_fields
from gpuport.host.wording import worded

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray


def _count(masks: int, arrays: int, kernel: str) -> None:
    KERNELS[kernel] += MASK_READ * masks + (1 if arrays else 0)
    for _ in range(masks):
        counters.d2h(4)


_PLAIN = frozenset({int, type(None)})


def _plain(shape: tuple[int, ...], key: Any) -> tuple[Any, ...] | None:
    """The key for NumPy, where it is numbers in range and slices between numbers; a short way.

    With an ellipsis, so that it gives a view even where NumPy would give a scalar.
    """
    kind = type(key)
    if kind is slice:
        return (key, ...) if shape and _between_numbers(key) else None
    if kind is int:
        return (key, ...) if shape and -shape[0] <= key < shape[0] else None
    if kind is not tuple or len(key) > len(shape):
        return None
    for length, part in zip(shape, key, strict=False):
        kind = type(part)
        if kind is slice:
            if not _between_numbers(part):
                return None
        elif kind is not int or not -length <= part < length:
            return None
    return (*key, ...)


def _between_numbers(part: slice) -> bool:
    return (
        type(part.start) in _PLAIN
        and type(part.stop) in _PLAIN
        and type(part.step) in _PLAIN
        and part.step != 0
    )


def read(array: Array, key: Any) -> ndarray:
    """``array[key]``: a view for integers and slices, a copy for arrays."""
    if (plain := _plain(array._a.shape, key)) is not None:
        return wrap(array._a[plain], array)
    if isinstance(key, Array) and _is_mask(key._a, array._a.shape):
        KERNELS["cupy_getitem_mask"] += MASK_READ
        counters.d2h(4)
        return wrap(array._a[key._a])
    if (places := places_in_arrays(array._a.shape, key)) is not None:
        KERNELS["cupy_take"] += 1
        try:
            found = array._a[places]
        except IndexError:
            found = array._a[wrapped(array._a.shape, places)]
        return wrap(in_c_order(found))
    if array._a.dtype.kind == "V" and names_fields(array._a.dtype, key):
        return fields(array, key)  # type: ignore[no-any-return]
    prepared, masks, arrays = prepare(array._a.shape, key)
    try:
        if not masks and not arrays:
            if not any(part is Ellipsis for part in prepared):
                prepared = (*prepared, Ellipsis)  # a view even where NumPy gives a scalar
            return wrap(array._a[prepared], array)
        found = in_c_order(array._a[prepared])
    except (IndexError, ValueError) as error:
        raise worded("getitem", error) from None
    _count(masks, arrays, "cupy_take" if arrays else "cupy_getitem_mask")
    return wrap(found)


def _is_mask(values: Any, shape: tuple[int, ...]) -> bool:
    """Whether an index is one truth value for each element of an array with axes."""
    return bool(values.dtype.kind == "b" and values.ndim and values.shape == shape)


def assign(array: Array, key: Any, value: Any) -> None:
    """``array[key] = value``."""
    if array._a.dtype.kind == "V" and names_fields(array._a.dtype, key):
        target = fields(array, key)._a
    elif (plain := _plain(array._a.shape, key)) is not None:
        target = array._a[plain]
    elif isinstance(key, Array) and _is_mask(key._a, array._a.shape):
        _scatter_update(array, (key._a,), 1, 0, value)
        return
    elif (places := places_in_arrays(array._a.shape, key)) is not None:
        _scatter_update(array, places, 0, len(places), value)
        return
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
        if value._a.dtype.kind == "c" and target.dtype.kind in "iuf":
            warnings.warn(
                "Casting complex values to real discards the imaginary part",
                np.exceptions.ComplexWarning,
                stacklevel=3,
            )
        source = _cast_into(value._a, target.dtype)
        if target.shape == source.shape and target.strides == source.strides:
            copy_bytes(target, source)
            return
        try:
            target[...] = source
        except ValueError:
            raise _mismatch(target.shape, value.shape) from None
        return
    fill(target, value)


def copy_bytes(target: Any, source: Any) -> None:
    """Copy an array into another of its shape and dtype, as the device does where bytes suffice.

    Nobody knows in which order: where the two overlap, what has been written is read again here,
    so that a program which relies on it shows that.
    """
    both = target.flags.c_contiguous and source.flags.c_contiguous
    if not (both and np.may_share_memory(target, source)) or not target.size:
        target[...] = source
        return
    addresses = (one.__array_interface__["data"][0] for one in (target, source))
    apart, written, read = operator.sub(*addresses), target.reshape(-1), source.reshape(-1)
    if not apart:
        return  # each byte is written to where it was read
    if apart < 0:
        written, read = written[::-1], read[::-1]
    written[:] = np.resize(read[: -(-abs(apart) // target.itemsize)].copy(), written.size)


def _mismatch(shape: tuple[int, ...], other: tuple[int, ...]) -> ValueError:
    """What is said of values that do not fit where they are assigned."""
    try:
        np.broadcast_shapes(shape, other)
    except ValueError:
        return ValueError(f"operands could not be broadcast together with shapes {other} {shape}")
    return ValueError("Out shape is mismatched")


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
    if values.ndim > len(shape):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
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
        _write(array._a, prepared, source)
        return
    if not masks and (points := _points(array._a, prepared, source)) is not None:
        places, fitted = points
        step = -1 if fitted.size > 2 else 1  # copies: NumPy walks views backwards as it likes
        turned = tuple([place[::step].copy() for place in places])
        _write(array._a, turned, fitted[::step].copy())
        return
    if len(prepared) == 1 and _is_mask(prepared[0], array._a.shape):
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


def _write(values: Any, places: tuple[Any, ...], source: Any) -> None:
    try:
        values[places] = source
    except IndexError:
        whole = all(isinstance(p, np.ndarray) and p.dtype.kind in "iu" for p in places)
        if not whole or not all(values.shape[: len(places)]):
            raise
        values[wrapped(values.shape, places)] = source


def _alike(arrays: tuple[Any, ...]) -> bool:
    first, *others = arrays
    return all(isinstance(x, np.ndarray) and x.shape == first.shape for x in others)


def _points(values: Any, prepared: tuple[Any, ...], source: Any) -> Any:
    """Places along the first axes, one array for each, and what is written to each of them.

    None where the key holds anything but whole numbers, or numbers that do not fit one another.
    """
    first = prepared[0]
    if isinstance(first, np.ndarray) and first.ndim == 1 and _alike(prepared):  # most often
        shape = first.shape + values.shape[len(prepared) :]
        return prepared, source if source.shape in ((), shape) else _fitted(source, shape)
    shapes = []
    for part in prepared:
        if not isinstance(part, (np.ndarray, np.integer, int)):
            return None
        shapes.append(np.shape(part))
    shape = shapes[0]
    places = list(prepared)
    if any(other != shape for other in shapes):
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            return None
        places = [np.broadcast_to(part, shape) for part in prepared]
    rest = values.shape[len(places) :]
    fitted = source if source.shape in ((), shape + rest) else _fitted(source, shape + rest)
    if len(shape) != 1:
        places = [np.ravel(part) for part in places]
        fitted = fitted.reshape(places[0].size, *rest) if fitted.ndim else fitted
    return places, fitted


def scatter(array: Array, key: Any, value: Any, operation: Any) -> None:
    """``array[key] = operation(array[key], value)``, every duplicate counted."""
    masks = arrays = 0
    prepared = places_in_arrays(array._a.shape, key) or ()
    if prepared:
        arrays, prepared = len(prepared), wrapped(array._a.shape, prepared)
    else:
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
