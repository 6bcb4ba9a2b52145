"""What stands between the brackets of an index, in NumPy's form and held against the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.array.base import Array
from gpuport.host.dtypes import SUPPORTED_CHARS

_INVALID = (
    "only integers, slices (`:`), ellipsis (`...`),numpy.newaxis (`None`) and integer or "
    "boolean arrays are valid indices"
)


def foreign(value: Any) -> Any:
    """Device array of another library's object; None where it is none."""
    if value is None or isinstance(
        value, (Array, bool, np.ndarray, np.generic, list, tuple, int, float)
    ):
        return None
    from gpuport.host.interchange import from_foreign

    return from_foreign(value)


def alike(value: Any) -> Any:
    """The device array behind an object of another library, else the value."""
    found = foreign(value)
    return value if found is None else found


def _holds_device_arrays(values: Any) -> bool:
    return any(
        _holds_device_arrays(x) if isinstance(x, (list, tuple)) else alike_array(x) for x in values
    )


def alike_array(value: Any) -> bool:
    """Whether an object is a device array, or another library's that CuPy takes for one."""
    return isinstance(value, Array) or foreign(value) is not None


def _bound(value: Any) -> Any:
    """A slice's bound: a 0-d device array is read back, which synchronises."""
    return int(value) if isinstance(value, Array) else value


def host_index(part: Any) -> Any:
    """NumPy's form of one index; lists and NumPy arrays are moved to the device."""
    if part is None or part is Ellipsis:
        return part
    if type(part) is slice:
        return slice(_bound(part.start), _bound(part.stop), _bound(part.step))
    if isinstance(part, Array):
        return part._a
    if np.isscalar(part) and not isinstance(part, (bool, np.bool_, str)):
        return int(part)  # type: ignore[arg-type]
    if (found := foreign(part)) is not None:
        return found._a
    if isinstance(part, (list, tuple)) and _holds_device_arrays(part):
        from gpuport.host.creation import array

        return array(part)._a
    if isinstance(part, str):
        int(part)  # as CuPy, which says what it is not
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


def within(places: Any, length: int) -> Any:
    """Whole numbers wrapped into the range of an axis of that length."""
    kind = places.dtype.char
    return np.mod(places if kind in "lqL" else places.astype(np.int64), length)


def places_in_arrays(shape: tuple[int, ...], key: Any) -> tuple[Any, ...] | None:
    """The key for NumPy where it is device arrays of whole numbers, all of one shape.

    None for all else, which :func:`prepare` knows about. Numbers beyond the axes are not wrapped
    yet: NumPy tells of them before it does anything, and there are none most often.
    """
    parts = key if type(key) is tuple else (key,)
    if not 0 < len(parts) <= len(shape):
        return None
    found: list[Any] = []
    for length, part in zip(shape, parts, strict=False):
        if not isinstance(part, Array) or not length:
            return None
        values = part._a
        if values.dtype.kind not in "iu" or (found and values.shape != found[0].shape):
            return None
        found.append(values if values.dtype.char in "lqi" else within(values, length))
    return tuple(found)


def wrapped(shape: tuple[int, ...], places: Any) -> tuple[Any, ...]:
    """Numbers of places along the first axes, each wrapped into the range of its axis."""
    return tuple(map(within, places, shape))


def prepare(shape: tuple[int, ...], key: Any) -> tuple[tuple[Any, ...], int, int]:
    """The key for NumPy, with integer arrays wrapped into range.

    Returns
    -------
    key : tuple
    masks, arrays : int
        How many boolean and integer arrays are in it.
    """
    parts = [host_index(part) for part in (key if isinstance(key, tuple) else (key,))]
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
                    parts[position] = within(part, shape[axis])
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
