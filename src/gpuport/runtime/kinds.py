"""What a value is to the boundary of a ported function, by its type."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy

# Deeper nesting than this is taken for a structure of the program's own (or a cycle).
MAX_DEPTH = 8
SUPPORTED_DTYPES = frozenset("?bBhHiIlLqQefdFD")


class Kind(Enum):
    """What a value is to the boundary of a ported function; read off its type alone."""

    NUMBER = "a number"
    NONE = "None"
    HOST_ARRAY = "a NumPy array"
    DEVICE_ARRAY = "a CuPy array"
    CONTAINER = "a container"
    FOREIGN_ARRAY = "an array of another library"
    OPAQUE = "an object"


def kind_of(value: Any) -> Kind:
    """The kind of ``value``, by its type (dtypes of arrays are not looked at here)."""
    cls: type = type(value)
    cupy = loaded_cupy()
    return _kind_of_type(cls, cupy.ndarray if cupy is not None else None)


@lru_cache(maxsize=1024)
def _kind_of_type(cls: type, device_array: type | None) -> Kind:
    if cls is np.ndarray:
        return Kind.HOST_ARRAY
    if device_array is not None and issubclass(cls, device_array):
        return Kind.DEVICE_ARRAY
    if cls is type(None):
        return Kind.NONE
    if issubclass(cls, np.generic):
        return Kind.NUMBER if np.dtype(cls).char in SUPPORTED_DTYPES else Kind.OPAQUE
    if issubclass(cls, (int, float, complex)):
        return Kind.NUMBER
    if cls in (list, tuple, dict) or is_namedtuple(cls):
        return Kind.CONTAINER
    protocols = ("__array__", "__array_ufunc__", "__array_function__", "__cuda_array_interface__")
    if any(hasattr(cls, protocol) for protocol in protocols):
        return Kind.FOREIGN_ARRAY
    return Kind.OPAQUE


def is_namedtuple(cls: type) -> bool:
    """Whether ``cls`` can be rebuilt with ``cls._make``, as named tuples can."""
    return issubclass(cls, tuple) and hasattr(cls, "_fields") and hasattr(cls, "_make")


def leaves_of(container: Any) -> Iterator[Any]:
    """The values of a list, tuple or dict, one level deep."""
    yield from container.values() if isinstance(container, dict) else container


def is_supported(dtype: Any) -> bool:
    """Whether a CuPy array can have this dtype, byte order included."""
    return dtype.char in SUPPORTED_DTYPES and dtype.isnative
