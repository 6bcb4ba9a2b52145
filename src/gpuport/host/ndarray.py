"""The device array: one NumPy array behind CuPy's surface and CuPy's strictness."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from gpuport.host import indexing
from gpuport.host.array.base import FUNCTIONS, IMPLICIT, complete, wrap
from gpuport.host.array.layout import Layout
from gpuport.host.array.methods import Methods
from gpuport.host.array.operators import Operators
from gpuport.host.array.shaping import Shaping
from gpuport.host.array.transfers import Transfers
from gpuport.host.counters import allocate
from gpuport.host.dtypes import check_dtype
from gpuport.host.state import cupy_major
from gpuport.host.unwritten import mark

_MOST_AXES = 64
__all__ = ["FUNCTIONS", "IMPLICIT", "ndarray", "wrap"]


class ndarray(Layout, Transfers, Operators, Shaping, Methods):
    """Multi-dimensional array on the (emulated) device; see :class:`cupy.ndarray`."""

    __slots__ = ()
    __module__ = "cupy"
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        array = object.__new__(cls)
        array._fill_in(*args, **kwargs)
        if cls is not ndarray:
            array.__array_finalize__(None)
        return array

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """All is done by ``__new__``, which subclasses call with fewer arguments."""

    def __array_finalize__(self, obj: Any) -> None:
        """Finish an array of a subclass that was made from `obj`; for subclasses to override."""

    def _fill_in(
        self,
        shape: Any,
        dtype: Any = float,
        memptr: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        lengths = _lengths(shape)
        order = (order or "C")[0].upper()
        if order not in ("C", "F"):
            raise ValueError("order not understood")
        if memptr is not None:
            self._a = _at(memptr, lengths, dtype, strides, order)
            self.base = memptr.mem
            return
        kind = check_dtype(dtype)
        if strides is None:
            self._a = np.empty(lengths, kind, order=order)  # type: ignore[call-overload]
            mark(self._a)
        else:
            self._a = _strided(lengths, kind, strides)
        self.base = None
        allocate(self._a.nbytes)

    # containers -----------------------------------------------------------------------------
    def __len__(self) -> int:
        if self._a.ndim == 0:
            raise TypeError("len() of unsized object")
        return int(self._a.shape[0])

    def __iter__(self) -> Any:
        if self._a.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key: Any) -> ndarray:
        return indexing.read(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        indexing.assign(self, key, value)

    def __delitem__(self, key: Any) -> None:
        raise NotImplementedError("Subscript deletion not supported by ndarray")

    def scatter_add(self, slices: Any, value: Any) -> None:
        """Add at the indices, duplicates included."""
        _deprecated("scatter_add", "add", ".")
        indexing.scatter(self, slices, value, np.add)

    def scatter_max(self, slices: Any, value: Any) -> None:
        """Maximum at the indices, duplicates included."""
        _deprecated("scatter_max", "maximum", "")
        indexing.scatter(self, slices, value, np.maximum)

    def scatter_min(self, slices: Any, value: Any) -> None:
        """Minimum at the indices, duplicates included."""
        _deprecated("scatter_min", "minimum", "")
        indexing.scatter(self, slices, value, np.minimum)

    # dispatch -------------------------------------------------------------------------------
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from gpuport.host import dispatch

        return dispatch.array_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from gpuport.host import dispatch

        return dispatch.array_function(func, types, args, kwargs)


def _deprecated(name: str, instead: str, stop: str) -> None:
    warnings.warn(
        f"`ndarray.{name}` is deprecated{stop} Please use `cupy.{instead}.at` instead.",
        DeprecationWarning,
        stacklevel=3,
    )


def _lengths(shape: Any) -> tuple[int, ...]:
    lengths = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    if len(lengths) > _MOST_AXES:
        raise ValueError(
            f"maximum supported dimension for an ndarray is {_MOST_AXES}, found {len(lengths)}"
        )
    if any(length < 0 for length in lengths):
        raise ValueError("Negative dimensions are not allowed")
    return lengths


def _at(pointer: Any, shape: tuple[int, ...], dtype: Any, strides: Any, order: str) -> Any:
    """Array over raw memory; one that reaches beyond it is refused."""
    made: Any = np.ndarray
    return made(shape, np.dtype(dtype), pointer.bytes(), 0, strides, order)


def _strided(shape: tuple[int, ...], dtype: np.dtype[Any], strides: Any) -> Any:
    """Memory of CuPy 14 with strides of the caller's.

    Raises
    ------
    ValueError
        Where it would reach before its start, or beyond a contiguous array's end.
    """
    if cupy_major() < 14:
        raise ValueError("memptr is required if strides is given.")
    if len(strides) != len(shape):
        raise ValueError(f"strides {strides} do not match shape {shape}")
    if not all(shape):
        return np.ndarray(shape, dtype, np.empty(1, np.uint8), strides=strides)
    reach = [(length - 1) * step for length, step in zip(shape, strides, strict=True)]
    if any(step < 0 for step in reach):
        raise ValueError("ndarray() with strides currently does not allow negative strides")
    used = sum(reach) + dtype.itemsize
    whole = math.prod(shape) * dtype.itemsize
    if used > whole:
        raise ValueError(
            f"ndarray() with strides must stay withing a contiguous size of {whole} but got {used}."
        )
    return np.ndarray(shape, dtype, np.empty(used, np.uint8), strides=strides)


complete(ndarray)
