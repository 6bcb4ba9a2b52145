"""Casts, copies, shapes and sorting."""

from __future__ import annotations

import builtins
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import counters, indexing, indices
from gpuport.host.array.base import Array, wrap, wrap_as
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast, check_dtype, viewed_dtype
from gpuport.host.memoryorder import in_c_order
from gpuport.host.structured import check_kernel_type
from gpuport.host.wording import worded

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
        same = not copy and dtype is not None and self._a.dtype == dtype
        target = self._a.dtype if same else check_dtype(dtype)
        if casting is not None:
            raise TypeError("casting is not supported yet")
        if not copy and target == self._a.dtype and _ordered(self._a, order):
            return self
        if self._a.dtype.kind == "c" and target.kind not in "bc":
            warnings.warn(
                "Casting complex values to real discards the imaginary part",
                np.exceptions.ComplexWarning,
                stacklevel=2,
            )
        KERNELS["cupy_copy"] += 1 if self._a.size else 0
        if target.kind == "V":
            check_kernel_type(target)
        result = cast(self._a, target, order or "K")
        return wrap(result if order in (None, "K") else np.array(result, order=order, copy=None))

    def copy(self, order: str = "C") -> ndarray:
        """A copy."""
        KERNELS["cupy_copy"] += 1 if self._a.size else 0
        return wrap(self._a.copy(order=order))

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        """The same memory, read as `dtype`."""
        owner: Any = self
        if isinstance(dtype, builtins.type) and issubclass(dtype, Array):
            if type is not None:
                raise ValueError("Cannot specify output type twice.")
            dtype, type = None, dtype
        if type is not None and not (isinstance(type, builtins.type) and issubclass(type, Array)):
            raise ValueError("Type must be a sub-type of ndarray type")
        values = self._a.view() if dtype is None else self._a.view(viewed_dtype(dtype))
        return wrap(values, owner) if type is None else wrap_as(type, values, owner)

    def fill(self, value: Any) -> None:
        """Set every element to `value`."""
        device = indices.alike(value)
        if not isinstance(device, Array):
            indexing.fill(self._a, value)
            return
        if device.ndim:
            raise ValueError("non-scalar cupy.ndarray cannot be used for fill")
        converted = device.astype(self._a.dtype, copy=False)
        if self._a.dtype.kind != "V":  # CuPy asks whether it is 0, which waits for the device
            KERNELS["cupy_equal"] += 1
            counters.d2h(1)
        indexing.fill(self._a, converted._a[()])

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
        try:
            result = self._a.reshape(shape, order=order)
        except ValueError as error:
            raise worded("reshape", error) from None
        return self._moved(result, copy, order)

    def _moved(self, result: Any, copy: Any = None, order: Any = "C") -> ndarray:
        if result.size == 0 and not copy:
            return wrap(self._a.view().reshape(result.shape, order=order), self)
        if copy is not None and not copy and not np.may_share_memory(result, self._a):
            raise ValueError("Unable to avoid creating a copy while reshaping.")
        if not copy and np.may_share_memory(result, self._a):
            return wrap(result, self)
        KERNELS["cupy_copy"] += 1 if self._a.size else 0
        return wrap(result.copy() if np.may_share_memory(result, self._a) else result)

    def ravel(self, order: str = "C") -> ndarray:
        """One axis; a view where possible."""
        try:
            result = self._a.ravel(order)
        except ValueError as error:
            raise worded("ravel", error) from None
        return self._moved(result)

    def flatten(self, order: str = "C") -> ndarray:
        """One axis, copied."""
        try:
            result = self._a.flatten(order)
        except ValueError as error:
            raise worded("flatten", error) from None
        KERNELS["cupy_copy"] += 1 if self._a.size else 0
        return wrap(result)

    def transpose(self, *axes: Any) -> ndarray:
        """Axes permuted."""
        return wrap(self._a.transpose(*axes), self)

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        """Two axes exchanged."""
        try:
            return wrap(self._a.swapaxes(axis1, axis2), self)
        except ValueError as error:
            raise worded("swapaxes", error) from None

    def squeeze(self, axis: Any = None) -> Any:
        """Axes of length one removed."""
        result = self._a.squeeze(axis)
        return self if result.ndim == self._a.ndim else wrap(result, self)

    def reduced_view(self, dtype: Any = None) -> Any:
        """Fewest axes that describe the same memory."""
        return self.ravel() if self._a.flags.c_contiguous else self

    def byteswap(self, inplace: bool = False) -> Any:
        """Bytes of each element reversed."""
        KERNELS["cupy_byteswap"] += 1
        result = self._a.byteswap(inplace)
        return self if inplace else wrap(in_c_order(result))

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        """Sort in place, stably."""
        if kind is not None and kind != "stable":
            raise ValueError("kind can only be None or 'stable'")
        if self._a.ndim == 0:
            raise _axis_error("Sorting arrays with the rank of zero is not supported")
        if not self._a.flags.c_contiguous:
            raise NotImplementedError("Sorting non-contiguous array is not supported.")
        KERNELS["cupy_sort"] += 1 if self._a.size else 0
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
    if order is None or order[0] in "KAka":
        return True
    return bool(values.flags.c_contiguous if order[0] in "Cc" else values.flags.f_contiguous)
