"""Indexing as CuPy does it: views for scalars, wrapped integer arrays, scrambled duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import counters
from gpuport.host.array.base import Array, wrap
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SUPPORTED_CHARS, cast
from gpuport.host.launches import MASK_READ
from gpuport.host.state import cupy_major
from gpuport.host.structured import check_kernel_type, fields, names_fields

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray

_INVALID = (
    "only integers, slices (`:`), ellipsis (`...`),numpy.newaxis (`None`) and integer or "
    "boolean arrays are valid indices"
)


def _foreign(value: Any) -> Any:
    """Device array of another library's object; None where it is none."""
    if value is None or isinstance(
        value, (Array, bool, np.ndarray, np.generic, list, tuple, int, float)
    ):
        return None
    from gpuport.host.interchange import from_foreign

    return from_foreign(value)


def _holds_device_arrays(values: Any) -> bool:
    return any(
        _holds_device_arrays(x) if isinstance(x, (list, tuple)) else alike_array(x) for x in values
    )


def alike_array(value: Any) -> bool:
    """Whether an object is a device array, or another library's that CuPy takes for one."""
    return isinstance(value, Array) or _foreign(value) is not None


def _bound(value: Any) -> Any:
    """A slice's bound: a 0-d device array is read back, which synchronises."""
    return int(value) if isinstance(value, Array) else value


def _host_index(part: Any) -> Any:
    """NumPy's form of one index; lists and NumPy arrays are moved to the device."""
    if part is None or part is Ellipsis:
        return part
    if type(part) is slice:
        return slice(_bound(part.start), _bound(part.stop), _bound(part.step))
    if isinstance(part, Array):
        return part._a
    if np.isscalar(part) and not isinstance(part, (bool, np.bool_, str)):
        return int(part)  # type: ignore[arg-type]
    if (foreign := _foreign(part)) is not None:
        return foreign._a
    if isinstance(part, (list, tuple)) and _holds_device_arrays(part):
        from gpuport.host.creation import array

        return array(part)._a
    values = np.array(part)
    if isinstance(part, np.ndarray) and values.dtype.kind not in "biu":
        raise IndexError(
            "arrays used as indices must be of integer or boolean type. "
            f"(actual: {values.dtype.type})"
        )
    if values.dtype.char not in SUPPORTED_CHARS:
        raise IndexError(_INVALID)
    counters.h2d(values.nbytes)
    if isinstance(part, (list, tuple)) and values.size == 0:
        values = values.astype(np.int32)
    return values


def prepare(shape: tuple[int, ...], key: Any) -> tuple[tuple[Any, ...], int, int]:
    """The key for NumPy, with integer arrays wrapped into range.

    Returns
    -------
    key : tuple
    masks, arrays : int
        How many boolean and integer arrays are in it.
    """
    parts = [_host_index(part) for part in (key if isinstance(key, tuple) else (key,))]
    used = sum(_axes(part) for part in parts)
    if used > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, "
            f"but {used} were indexed"
        )
    if sum(part is Ellipsis for part in parts) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    axis = masks = arrays = 0
    for position, part in enumerate(parts):
        if part is Ellipsis:
            axis += len(shape) - used
        elif isinstance(part, np.ndarray):
            if part.dtype.kind == "b":
                masks += 1
                _check_mask(part, shape, axis)
                if part.size == 0 and part.ndim:  # CuPy takes an empty mask for all false
                    parts[position] = np.zeros(shape[axis : axis + part.ndim], np.bool_)
            else:
                arrays += 1
                if shape[axis]:
                    wide = part if part.dtype == np.uint64 else part.astype(np.int64)
                    parts[position] = np.mod(wide, shape[axis])
            axis += _axes(part)
        elif isinstance(part, int):
            if not -shape[axis] <= part < shape[axis]:
                raise IndexError(
                    f"Index {part} is out of bounds for axis {axis} with size {shape[axis]}"
                )
            axis += 1
        elif part is not None:
            axis += 1
    return tuple(parts), masks, arrays


def _axes(part: Any) -> int:
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, np.ndarray):
        if part.dtype.kind == "b":
            return part.ndim
        if part.dtype.kind not in "iu":
            raise IndexError(
                "arrays used as indices must be of integer or boolean type. "
                f"(actual: {part.dtype.type})"
            )
    return 1


def _check_mask(mask: Any, shape: tuple[int, ...], axis: int) -> None:
    for offset, length in enumerate(mask.shape):
        if length not in (0, shape[axis + offset]):
            raise IndexError(
                "boolean index did not match indexed array along dimension "
                f"{axis + offset}; dimension is {shape[axis + offset]} but corresponding "
                f"boolean dimension is {length}"
            )


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
    if array._a.dtype.kind == "V" and names_fields(array._a.dtype, key):
        return fields(array, key)  # type: ignore[no-any-return]
    prepared, masks, arrays = prepare(array._a.shape, key)
    if not masks and not arrays:
        if not any(part is Ellipsis for part in prepared):
            prepared = (*prepared, Ellipsis)  # a view even where NumPy gives a scalar
        return wrap(array._a[prepared], array)
    _count(masks, arrays, "cupy_take" if arrays else "cupy_getitem_mask")
    return wrap(np.array(array._a[prepared], order="C"))


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


def alike(value: Any) -> Any:
    """The device array behind an object of another library, else the value."""
    foreign = _foreign(value)
    return value if foreign is None else foreign


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


def _places(array: Array, prepared: tuple[Any, ...]) -> Any:
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
    places = _places(array, prepared)
    fitted = _fitted(source, places.shape)
    if not arrays:
        array._a[prepared] = fitted
        return
    # The device writes duplicates in no order. Above two elements the order is turned round
    # here, so that a program which relies on the last one winning shows it.
    order = np.arange(places.size)[:: -1 if places.size > 2 else 1]
    coordinates = np.unravel_index(places.ravel()[order], array._a.shape)
    array._a[coordinates] = fitted.ravel()[order]


def scatter(array: Array, key: Any, value: Any, operation: Any) -> None:
    """``array[key] = operation(array[key], value)``, every duplicate counted."""
    prepared, masks, arrays = prepare(array._a.shape, key)
    source = _source(array, value)
    _count(masks, arrays, "cupy_scatter_" + operation.__name__)
    if not masks and not arrays:
        KERNELS["cupy_" + operation.__name__] += 1
    places = _places(array, prepared)
    fitted = _fitted(source, places.shape)
    coordinates = np.unravel_index(places.ravel(), array._a.shape) if array._a.ndim else ()
    operation.at(array._a, coordinates, fitted.ravel())


def _flat_index(key: Any) -> Any:
    """CuPy's flat iterators know numbers, slices and the ellipsis."""
    if key is Ellipsis:
        return slice(None)
    if type(key) is slice:
        return _host_index(key)
    if isinstance(key, (tuple, bool)) or not np.isscalar(key):
        raise IndexError("unsupported iterator index")
    return int(key)  # type: ignore[arg-type]


class FlatIter:
    """``array.flat``."""

    __module__ = "cupy"

    def __init__(self, array: Array) -> None:
        self.base = array
        self._next = 0

    def copy(self) -> Any:
        """The elements along one axis."""
        return self.base.flatten()

    def __iter__(self) -> FlatIter:
        return self

    def __len__(self) -> int:
        return int(self.base.size)

    def __next__(self) -> ndarray:
        if self._next >= self.base.size:
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __getitem__(self, key: Any) -> ndarray:
        KERNELS["cupy_copy"] += 1
        return wrap(np.array(self.base._a.flat[_flat_index(key)]))

    def __setitem__(self, key: Any, value: Any) -> None:
        KERNELS["cupy_fill"] += 1
        self.base._a.flat[_flat_index(key)] = value._a if isinstance(value, Array) else value


FlatIter.__name__ = FlatIter.__qualname__ = "flatiter"
