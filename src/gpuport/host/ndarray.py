"""The device array: one NumPy array behind CuPy's surface and CuPy's strictness."""

from __future__ import annotations

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

__all__ = ["FUNCTIONS", "IMPLICIT", "ndarray", "wrap"]


class ndarray(Layout, Transfers, Operators, Shaping, Methods):
    """Multi-dimensional array on the (emulated) device; see :class:`cupy.ndarray`."""

    __slots__ = ()
    __module__ = "cupy"
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        shape: Any,
        dtype: Any = float,
        memptr: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        if memptr is not None:
            raise NotImplementedError("the host backend has no raw device memory (memptr)")
        if strides is not None:
            raise ValueError("memptr is required if strides is given.")
        self._a = np.empty(shape, check_dtype(dtype), order=order or "C")  # type: ignore[call-overload]
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

    def scatter_add(self, slices: Any, value: Any) -> None:
        """Add at the indices, duplicates included."""
        indexing.scatter(self, slices, value, np.add)

    def scatter_max(self, slices: Any, value: Any) -> None:
        """Maximum at the indices, duplicates included."""
        indexing.scatter(self, slices, value, np.maximum)

    def scatter_min(self, slices: Any, value: Any) -> None:
        """Minimum at the indices, duplicates included."""
        indexing.scatter(self, slices, value, np.minimum)

    # dispatch -------------------------------------------------------------------------------
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from gpuport.host import dispatch

        return dispatch.array_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from gpuport.host import dispatch

        return dispatch.array_function(func, types, args, kwargs)


complete(ndarray)
