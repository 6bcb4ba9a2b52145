"""From the device to the host and back; each way is counted."""

from __future__ import annotations

import pickle
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import counters
from gpuport.host.array.base import IMPLICIT, Array
from gpuport.host.counters import KERNELS
from gpuport.host.state import SYNCHRONISE

if TYPE_CHECKING:
    pass


class Transfers(Array):
    """Copies, conversions and texts of an array, all made on the host."""

    __slots__ = ()

    def get(
        self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True
    ) -> Any:
        """A copy on the host."""
        if out is not None and not isinstance(out, np.ndarray):
            raise TypeError("Only numpy.ndarray can be obtained fromcupy.ndarray")
        if out is not None:
            if out.dtype != self.dtype:
                raise TypeError(f"{out.dtype} array cannot be obtained from {self.dtype} array")
            if out.shape != self.shape:
                raise ValueError(
                    f"Shape mismatch. Expected shape: {self.shape}, actual shape: {out.shape}"
                )
            if not (out.flags.c_contiguous or out.flags.f_contiguous):
                raise RuntimeError(
                    "`out` cannot be specified when copying to non-contiguous ndarray"
                )
        _check_order(order)
        SYNCHRONISE.check()
        if self._a.size:
            counters.d2h(self._a.nbytes)
        if self._is_arranged_before(order, out):
            KERNELS["cupy_copy"] += 1
        if out is None:
            return np.array(self._a, order=order)  # type: ignore[call-overload]
        out[...] = self._a
        return out

    def _is_arranged_before(self, order: str, out: Any) -> bool:
        """Whether a copy on the device comes before the transfer.

        Source: ``get`` of core.pyx, which moves memory that lies as its destination does.
        """
        layout = self._a.flags
        if out is not None:
            return not (
                (layout.c_contiguous and out.flags.c_contiguous)
                or (layout.f_contiguous and out.flags.f_contiguous)
            )
        if order in ("A", "K"):
            return not (layout.c_contiguous or layout.f_contiguous)
        return not (layout.f_contiguous if order == "F" else layout.c_contiguous)

    def set(self, arr: Any, stream: Any = None) -> None:
        """Overwrite with an array of the host."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        counters.h2d(arr.nbytes)
        self._a[...] = arr

    def item(self, *args: Any) -> Any:
        """The one element as a Python number."""
        if args:
            raise TypeError(f"item() takes exactly 0 positional arguments ({len(args)} given)")
        if self._a.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.get().item()

    def tolist(self) -> Any:
        """Nested lists of Python numbers."""
        return self.get().tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """The bytes of the elements."""
        return bytes(self.get().tobytes(order))

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:
        """Write to a file."""
        self.get().tofile(fid, sep, format)

    def dump(self, file: Any) -> None:
        """Pickle to a file."""
        if isinstance(file, str):
            with open(file, "wb") as stream:
                pickle.dump(self, stream, -1)
        else:
            pickle.dump(self, file, -1)

    def dumps(self) -> bytes:
        """Pickle to bytes."""
        return pickle.dumps(self, -1)

    def __reduce__(self) -> Any:
        from gpuport.host.creation import array

        return array, (self.get(),)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __array__(self, dtype: Any = None) -> Any:
        raise TypeError(IMPLICIT)

    def __buffer__(self, flags: int) -> Any:
        raise TypeError(
            "Accessing a CuPy ndarry on CPU is not allowed except when using system memory "
            "(on HMM or ATS enabled systems, need to set CUPY_ENABLE_UMP=1) or managed memory"
        )

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Any = None,
        copy: Any = None,
    ) -> Any:
        raise RuntimeError("Unsupported device in DLTensor.")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "stream": 1,
            "version": 3,
            "strides": None if self._a.flags.c_contiguous else self.strides,
            "data": (self._a.ctypes.data if self.size else 0, False),
        }

    def toDlpack(self) -> Any:
        """Not available on the host."""
        raise NotImplementedError("the host backend has no DLPack export")

    def mdspan(self, *, index_type: Any, allow_unsafe: bool = False) -> Any:
        """Not available on the host."""
        raise NotImplementedError("the host backend has no kernel arguments (mdspan)")

    def __float__(self) -> float:
        return float(_only(self.get()))

    def __int__(self) -> int:
        return int(_only(self.get()))

    def __complex__(self) -> complex:
        return complex(_only(self.get()))

    def __bool__(self) -> bool:
        if self._a.size == 0:
            warnings.warn(
                "The truth value of an empty array is ambiguous. Returning False, but in future "
                "this will result in an error. Use `array.size > 0` to check that an array is "
                "not empty.",
                DeprecationWarning,
                stacklevel=2,
            )
            return False
        if self._a.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self.get())

    def __bytes__(self) -> bytes:
        return bytes(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __format__(self, spec: str) -> str:
        return format(self.get(), spec)


def _check_order(order: Any) -> None:
    """Source: ``get`` of core.pyx, to which K is no order."""
    if order.upper() not in ("C", "F", "A"):
        raise ValueError(f"unsupported order: {order}")


def _only(values: Any) -> Any:
    if values.ndim != 0:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return values
