"""What an array is made of: element type, shape, strides, flags, and views of its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host import flatiter, indexing
from gpuport.host.array.base import Array, wrap

if TYPE_CHECKING:
    from gpuport.host.ndarray import ndarray
from gpuport.host.wording import worded

_FLAGS = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA")


class Flags:
    """Memory layout of an array; nothing in it can be set to an effect."""

    def __init__(self, array: Array) -> None:
        self.c_contiguous: bool = array._a.flags.c_contiguous
        self.f_contiguous: bool = array._a.flags.f_contiguous
        self.owndata: bool = array.base is None

    @property
    def fnc(self) -> bool:
        """Fortran but not C order."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        """Fortran or C order."""
        return self.f_contiguous or self.c_contiguous

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self):
            raise AttributeError(
                f"property '{name}' of 'cupy._core.flags.Flags' object has no setter"
            )
        super().__setattr__(name, value)

    def __getitem__(self, name: str) -> bool:
        if name not in _FLAGS:
            raise KeyError(f"{name} is not defined for cupy.ndarray.flags")
        return bool(getattr(self, name.lower()))

    def __repr__(self) -> str:
        return "\n".join(f"  {row} : {self[row]}" for row in _FLAGS)


class Layout(Array):
    """Shape, dtype and memory of an array."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """Element type."""
        return self._a.dtype

    @dtype.setter
    def dtype(self, value: Any) -> None:
        raise _not_writable("dtype")

    @property
    def strides(self) -> Any:
        """Steps in bytes."""
        return self._a.strides

    @strides.setter
    def strides(self, value: Any) -> None:
        raise _not_writable("strides")

    @property
    def shape(self) -> Any:
        """Lengths of the axes."""
        return self._a.shape

    @shape.setter
    def shape(self, value: Any) -> None:
        # Not by NumPy's own setter, which warns from NumPy 2.5 on; CuPy's does not.
        try:
            fresh = self._a.reshape(value)
        except ValueError as error:
            raise worded("reshape", error) from None
        if fresh.size and not np.may_share_memory(fresh, self._a):
            raise AttributeError("incompatible shape")
        self._a = fresh

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return int(self._a.ndim)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(self._a.size)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self._a.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self._a.nbytes)

    @property
    def flags(self) -> Flags:
        """Memory layout."""
        return Flags(self)

    @property
    def T(self) -> Any:
        """Axes reversed; the array itself below two axes."""
        return self if self._a.ndim < 2 else wrap(self._a.T, self)

    @property
    def mT(self) -> ndarray:
        """Last two axes exchanged."""
        if self._a.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return wrap(self._a.swapaxes(-1, -2), self)

    @property
    def flat(self) -> Any:
        """Flat iterator."""
        return flatiter.FlatIter(self)

    @property
    def data(self) -> Any:
        """Pointer to the first element."""
        from gpuport.host.cuda import pointer_to

        return pointer_to(self)

    @property
    def device(self) -> Any:
        """Device that holds the array."""
        from gpuport.host.cuda import Device

        return Device(0)

    @property
    def cstruct(self) -> Any:
        """Not available on the host."""
        raise NotImplementedError("the host backend has no kernel arguments (cstruct)")

    @property
    def real(self) -> Any:
        """Real part: a view where complex, else the array itself."""
        return wrap(self._a.real, self) if self._a.dtype.kind == "c" else self

    @real.setter
    def real(self, value: Any) -> None:
        indexing.assign(self.real, Ellipsis, value)

    @property
    def imag(self) -> ndarray:
        """Imaginary part: a view where complex, else zeros."""
        if self._a.dtype.kind == "c":
            return wrap(self._a.imag, self)
        return wrap(np.zeros_like(self._a, order="C"))

    @imag.setter
    def imag(self, value: Any) -> None:
        if self._a.dtype.kind != "c":
            raise TypeError("cannot set imag to float array")
        indexing.assign(self.imag, Ellipsis, value)


def _not_writable(name: str) -> AttributeError:
    owner = "cupy._core.core._ndarray_base"
    return AttributeError(f"attribute '{name}' of '{owner}' objects is not writable")
