"""Casts, copies, shapes and sorting."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import indexing
from gpuport.host.array.base import Array, wrap
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast, check_dtype

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray


class Shaping(Array):
    """The same elements as another type, in another shape or order."""

    __slots__ = ()

    def astype(
        self,
        dtype: Any,
        order: Any = "K",
        casting: Any = None,
        subok: Any = None,
        copy: bool = True,
    ) -> Any:
        """Cast to `dtype`; the array itself where nothing changes and `copy` is false."""
        target = check_dtype(dtype)
        if casting is not None:
            warnings.warn("casting is ignored", stacklevel=2)
        if not copy and target == self._a.dtype and _ordered(self._a, order):
            return self
        if self._a.dtype.kind == "c" and target.kind not in "bc":
            warnings.warn(
                "Casting complex values to real discards the imaginary part",
                np.exceptions.ComplexWarning,
                stacklevel=2,
            )
        KERNELS["cupy_copy"] += 1
        result = cast(self._a, target, order or "K")
        return wrap(result if order in (None, "K") else np.array(result, order=order, copy=None))

    def copy(self, order: str = "C") -> ndarray:
        """A copy."""
        KERNELS["cupy_copy"] += 1
        return wrap(self._a.copy(order=order))

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        """The same memory, read as `dtype`."""
        if dtype is None:
            return wrap(self._a.view(), self)
        return wrap(self._a.view(check_dtype(dtype)), self)

    def fill(self, value: Any) -> None:
        """Set every element to `value`."""
        if getattr(value, "ndim", 0) and isinstance(value, (np.ndarray, Array)):
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
        if isinstance(value, Array):
            value = value.get()[()]
        indexing.assign(self, Ellipsis, value)

    def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> ndarray:
        """The same elements under another shape, a view where possible."""
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        for length in shape:
            if isinstance(length, Array):
                raise TypeError("'ndarray' object cannot be interpreted as an integer")
        if isinstance(copy, str):
            raise ValueError(
                "strings are not allowed for 'copy' keyword. Use True/False/None instead."
            )
        return self._moved(self._a.reshape(shape, order=order), copy, order)

    def _moved(self, result: Any, copy: Any = None, order: Any = "C") -> ndarray:
        if result.size == 0 and not copy:
            return wrap(self._a.view().reshape(result.shape, order=order), self)
        if copy is not None and not copy and not np.may_share_memory(result, self._a):
            raise ValueError("Unable to avoid creating a copy while reshaping.")
        if not copy and np.may_share_memory(result, self._a):
            return wrap(result, self)
        KERNELS["cupy_copy"] += 1
        return wrap(result.copy() if np.may_share_memory(result, self._a) else result)

    def ravel(self, order: str = "C") -> ndarray:
        """One axis; a view where possible."""
        return self._moved(self._a.ravel(order))

    def flatten(self, order: str = "C") -> ndarray:
        """One axis, copied."""
        KERNELS["cupy_copy"] += 1
        return wrap(self._a.flatten(order))

    def transpose(self, *axes: Any) -> ndarray:
        """Axes permuted."""
        return wrap(self._a.transpose(*axes), self)

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        """Two axes exchanged."""
        return wrap(self._a.swapaxes(axis1, axis2), self)

    def squeeze(self, axis: Any = None) -> ndarray:
        """Axes of length one removed."""
        return wrap(self._a.squeeze(axis), self)

    def reduced_view(self, dtype: Any = None) -> Any:
        """Fewest axes that describe the same memory."""
        return self.ravel() if self._a.flags.c_contiguous else self

    def byteswap(self, inplace: bool = False) -> Any:
        """Bytes of each element reversed."""
        KERNELS["cupy_byteswap"] += 1
        result = self._a.byteswap(inplace)
        return self if inplace else wrap(result)

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        """Sort in place, stably."""
        if kind is not None and kind != "stable":
            raise ValueError("kind can only be None or 'stable'")
        if self._a.ndim == 0:
            raise _axis_error("Sorting arrays with the rank of zero is not supported")
        if not self._a.flags.c_contiguous:
            raise NotImplementedError("Sorting non-contiguous array is not supported.")
        KERNELS["cupy_sort"] += 1
        self._a.sort(axis=axis, kind="stable")

    def partition(self, kth: Any, axis: int = -1) -> None:
        """Partially sort in place; CuPy sorts fully."""
        if self._a.ndim and self._a.flags.c_contiguous and -self._a.ndim <= axis < self._a.ndim:
            length = self._a.shape[axis]
            for k in (kth,) if isinstance(kth, int) else kth:
                place = k + length if k < 0 else k
                if not 0 <= place < length:
                    raise ValueError(f"kth(={place}) out of bounds {length}")
        self.sort(axis)


def _axis_error(message: str) -> Exception:
    return np.exceptions.AxisError(message)


def _ordered(values: Any, order: Any) -> bool:
    if order in (None, "K", "A"):
        return True
    return bool(values.flags.c_contiguous if order == "C" else values.flags.f_contiguous)
