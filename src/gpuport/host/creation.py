"""Arrays from host data, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast, check_dtype
from gpuport.host.indexing import copy_bytes, fill
from gpuport.host.interchange import from_foreign
from gpuport.host.ndarray import IMPLICIT, ndarray, wrap
from gpuport.host.registry import implements
from gpuport.host.state import cupy_major


def _uniform(values: Any) -> tuple[tuple[int, ...] | None, type, Any]:
    """Common shape, kind and dtype of a nested list of arrays; no shape where they differ."""
    if isinstance(values, (np.ndarray, ndarray)):
        return values.shape, type(values), values.dtype
    if not isinstance(values, _PLAIN) and (found_array := from_foreign(values)) is not None:
        return found_array.shape, ndarray, found_array.dtype
    if not isinstance(values, (list, tuple)):
        return None, type(values), None
    found: list[tuple[Any, type, Any]] = [_uniform(value) for value in values]
    if any(shape is None or shape != found[0][0] for shape, _, _ in found):
        return None, type(values), None
    if not found:
        return (0,), type(values), None
    dtype = found[0][2]
    for _, _, other in found[1:]:
        if dtype is not None and other is not None and dtype != other:
            dtype = np.promote_types(dtype, other)
    return (len(found), *found[0][0]), found[0][1], dtype


_PLAIN = (np.ndarray, np.generic, bool, int, float, complex, list, tuple, str)
"""Types that are no array of another library."""


def _leaves(values: Any) -> list[Any]:
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in _leaves(value)]
    return [values]


@implements("cupy.array")
def array(
    obj: Any,
    dtype: Any = None,
    copy: bool | None = True,
    order: Any = "K",
    subok: bool = False,
    ndmin: int = 0,
    *,
    blocking: bool = False,
) -> ndarray:
    """Device array of `obj`: a copy of a device array, or host data moved once."""
    if subok:
        raise NotImplementedError
    _check_order(order)
    if not isinstance(obj, (ndarray, *_PLAIN)) and (found := from_foreign(obj)) is not None:
        obj = found
    if isinstance(obj, ndarray):
        target = obj.dtype if dtype is None else dtype
        result: ndarray = obj.astype(target, order=order or "K", copy=bool(copy))
        if copy is False and result is not obj and cupy_major() >= 14:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        if ndmin > result.ndim:
            padded = (1,) * (ndmin - result.ndim) + result.shape
            result = wrap(result._a.reshape(padded), obj if result is obj else None)
        return result
    shape, kind, common = _uniform(obj)
    if shape and issubclass(kind, ndarray):
        leaves: list[Any] = [
            leaf if isinstance(leaf, _PLAIN) else from_foreign(leaf) for leaf in _leaves(obj)
        ]
        for leaf in leaves:
            if isinstance(leaf, np.ndarray):
                raise TypeError(IMPLICIT)
            if not isinstance(leaf, ndarray):
                raise TypeError(f"Unsupported type {type(leaf)}")
        parts = [leaf._a for leaf in leaves]
        joined = np.stack(parts).reshape(shape) if shape else np.stack(parts)
        counters.join(parts, joined.dtype)
        target = check_dtype(common if dtype is None else dtype)
        layout = "F" if order and order[0] in "Ff" else "C"
        return wrap(np.array(joined.astype(target, order="C"), order=layout, ndmin=ndmin))  # type: ignore[call-overload]
    return _moved(obj, dtype, order, ndmin)


def _check_order(order: Any) -> None:
    """Source: ``_normalize_order``, core.pyx, which is asked even where nothing is copied."""
    if order is not None and len(order) and order[0] not in "CFAKcfak":
        raise ValueError("order not understood")


@implements("cupy.asfarray")
def asfarray(a: Any, dtype: Any = float) -> ndarray:
    """Device array of floating-point or complex numbers: other types are float64."""
    return array(a, dtype if np.dtype(dtype).kind in "fc" else np.float64, None)


def _moved(obj: Any, dtype: Any, order: Any, ndmin: int) -> ndarray:
    if dtype is not None and cupy_major() < 14:
        dtype = check_dtype(dtype)
    if order is None or order[0] in "KAka":
        order = "F" if isinstance(obj, np.ndarray) and obj.flags.fnc else "C"
    values = np.array(obj, dtype=dtype, order=order, ndmin=ndmin)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    check_dtype(values.dtype)
    if type(values) is not np.ndarray:
        values = np.asarray(values)
    if values.ndim == 0:
        KERNELS["cupy_fill"] += 1  # a number travels in the kernel's arguments
    else:
        counters.h2d(values.nbytes)
    return wrap(values)


@implements("cupy.asarray")
def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, blocking: bool = False, copy: Any = None
) -> ndarray:
    """Device array of `a`; `a` itself where it is one already."""
    return array(a, dtype, copy, order)


@implements("cupy.asanyarray")
def asanyarray(a: Any, dtype: Any = None, order: Any = None, **ignored: Any) -> ndarray:
    """As :func:`asarray`."""
    return array(a, dtype, None, order)


@implements("cupy.ascontiguousarray")
def ascontiguousarray(a: Any, dtype: Any = None) -> ndarray:
    """C order, at least one axis."""
    result = array(a, dtype, None, "C")
    return result if result.ndim else result.reshape(1)


@implements("cupy.asfortranarray")
def asfortranarray(a: Any, dtype: Any = None) -> ndarray:
    """Fortran order, at least one axis."""
    result = array(a, dtype, None, "F")
    return result if result.ndim else result.reshape(1)


@implements("cupy.astype")
def astype(x: Any, dtype: Any, /, *, copy: bool = True) -> Any:
    """The array in another element type; itself where nothing changes and `copy` is false."""
    if not isinstance(x, ndarray):
        raise TypeError(f"Input should be a CuPy array. It is a {type(x)} instead.")
    return x.astype(dtype, copy=copy)


@implements("cupy.copy")
def copy(a: Any, order: str = "K") -> ndarray:
    """A copy of a device array, or host data moved."""
    return array(a, order=order)


@implements("cupy.min_scalar_type")
def min_scalar_type(a: Any) -> np.dtype[Any]:
    """Element type of an array or of a nested list of arrays; smallest type of a number."""
    if not isinstance(a, _PLAIN) and (found := from_foreign(a)) is not None:
        return found.dtype  # type: ignore[no-any-return]
    common = _uniform(a)[2] if isinstance(a, (list, tuple)) else None
    return np.min_scalar_type(a) if common is None else common


@implements("cupy.asnumpy")
def asnumpy(
    a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True
) -> Any:
    """NumPy array of `a`: device arrays are read back."""
    if not isinstance(a, _PLAIN) and (found := from_foreign(a)) is not None:
        return found.get(stream=stream, order=order, out=out)
    result = np.asarray(a, order=order)  # type: ignore[call-overload]
    if out is not None:
        out[...] = result
        return out
    return result


@implements("cupy.get_array_module")
def get_array_module(*args: Any) -> Any:
    """The module of the arguments' arrays: cupy where one is a device array."""
    import sys

    if any(isinstance(arg, ndarray) for arg in args):
        return sys.modules["cupy"]
    return np


@implements("cupy.full")
def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> ndarray:
    """Filled array."""
    if dtype is None:
        told = isinstance(fill_value, ndarray)
        dtype = fill_value.dtype if told else np.array(fill_value).dtype
    made: Any = np.empty  # NumPy's stubs know no text as order
    values = made(_shape(shape), check_dtype(dtype), order=order)
    filled = wrap(values)
    if isinstance(fill_value, float) and values.dtype.kind in "iu":  # one that does not fit warns
        fill_value = np.asarray(fill_value).astype(values.dtype)
    if isinstance(fill_value, ndarray):  # one with axes is laid out over the shape
        copyto(filled, fill_value, casting="unsafe")
    else:
        fill(values, fill_value)
    return filled


def _shape(shape: Any) -> Any:
    lengths = shape if isinstance(shape, (tuple, list)) else (shape,)
    if any(isinstance(length, ndarray) for length in lengths):
        raise TypeError("'ndarray' object cannot be interpreted as an integer")
    return shape


@implements("cupy.copyto")
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    """Copy values into `dst`."""
    if not isinstance(dst, ndarray):
        raise AttributeError("'memoryview' object has no attribute 'copy_from_async'")
    if isinstance(src, np.ndarray) and src.size != 1:
        raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")
    source: Any = src._a if isinstance(src, ndarray) else src
    known: Any = src.dtype if isinstance(src, ndarray) else source
    if type(source) not in (bool, int, float, complex) and not _casts(known, dst.dtype, casting):
        raise TypeError(f"Cannot cast {known} to {dst.dtype} in {casting} casting mode")
    if where is None:
        where = True
    mask = where._a if isinstance(where, ndarray) else where
    if isinstance(source, np.ndarray):
        shapes = [dst.shape, np.shape(mask), source.shape] if np.ndim(mask) else []
        _check_shapes(*shapes)
        source = source if source.dtype == dst.dtype else cast(source, dst.dtype)
    KERNELS["cupy_copy"] += 1
    if where is True and isinstance(source, np.ndarray) and source.shape == dst.shape:
        copy_bytes(dst._a, source)
        return
    np.copyto(dst._a, source, casting, where._a if isinstance(where, ndarray) else where)  # type: ignore[arg-type]


def _check_shapes(*shapes: tuple[int, ...]) -> None:
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " ".join(map(str, shapes))
        raise ValueError(f"operands could not be broadcast together with shapes {listed}") from None


def _casts(source: Any, dtype: Any, casting: Any) -> bool:
    """Whether a dtype, or the dtype of a number of NumPy's or of a text, is cast to another."""
    if not isinstance(source, np.dtype):
        source = source.dtype if hasattr(source, "dtype") else np.asarray(source).dtype
    return bool(np.can_cast(source, dtype, casting))
