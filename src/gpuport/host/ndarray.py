"""The device array: one NumPy array behind CuPy's surface and CuPy's strictness."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np

from gpuport.host import counters, indexing
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SCALAR_TYPES, cast, check_dtype

IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. "
    "Please use `.get()` to construct a NumPy array explicitly."
)
FUNCTIONS: dict[str, Any] = {}
"""cupy functions and ufuncs that methods call; filled when the surface is built."""
METHOD_SCOPES: list[dict[str, Any]] = []
"""Namespaces of the compiled methods, which find ``FUNCTIONS`` there."""


class Flags:
    """Memory layout of an array; nothing in it can be set to an effect."""

    def __init__(self, array: ndarray) -> None:
        self.c_contiguous: bool = array._a.flags.c_contiguous
        self.f_contiguous: bool = array._a.flags.f_contiguous
        self.owndata: bool = array.base is None
        self.writeable = True

    @property
    def fnc(self) -> bool:
        """Fortran but not C order."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        """Fortran or C order."""
        return self.f_contiguous or self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        return bool(getattr(self, name.lower()))

    def __repr__(self) -> str:
        rows = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA")
        return "\n".join(f"  {row} : {self[row]}" for row in rows)


def wrap(values: Any, owner: ndarray | None = None) -> ndarray:
    """Device array around `values`; a view of `owner` where one is given."""
    array: ndarray = object.__new__(ndarray)
    array._a = values if type(values) is np.ndarray else np.asarray(values)
    array.base = owner if owner is None or owner.base is None else owner.base
    return array


def _defers(x: Any, y: Any) -> bool:
    try:
        other = y.__array_ufunc__
    except AttributeError:
        return bool(getattr(x, "__array_priority__", 0) < getattr(y, "__array_priority__", 0))
    return other is None


def _binary(name: str) -> tuple[Any, Any, Any]:
    numpy_ufunc = getattr(np, name)

    def forward(x: Any, y: Any) -> Any:
        kind = type(y)
        if kind is ndarray or kind in SCALAR_TYPES:
            return FUNCTIONS[name](x, y)
        if _defers(x, y):
            return NotImplemented
        return numpy_ufunc(x, y)

    def reflected(x: Any, y: Any) -> Any:
        return FUNCTIONS[name](y, x)

    def in_place(x: Any, y: Any) -> Any:
        if _defers(x, y):
            return NotImplemented
        return FUNCTIONS[name](x, y, x)

    return forward, reflected, in_place


def _comparison(name: str) -> Any:
    numpy_ufunc = getattr(np, name)

    def compare(x: Any, y: Any) -> Any:
        kind = type(y)
        if kind is ndarray or kind in SCALAR_TYPES:
            return FUNCTIONS[name](x, y)
        if y is None and name in ("equal", "not_equal"):
            return wrap(np.full(x.shape, name == "not_equal"))
        if _defers(x, y):
            return NotImplemented
        if isinstance(y, np.ndarray) and y.ndim == 0:
            y = y.item()
        return numpy_ufunc(x, y)

    return compare


class ndarray:
    """Multi-dimensional array on the (emulated) device; see :class:`cupy.ndarray`."""

    __slots__ = ("__weakref__", "_a", "base")
    __module__ = "cupy"
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    _a: Any
    base: Any

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

    # layout ---------------------------------------------------------------------------------
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
        fresh = self._a.view()
        try:
            fresh.shape = value
        except AttributeError as error:
            raise AttributeError("incompatible shape") from error
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
    def T(self) -> ndarray:
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
        return indexing.FlatIter(self)

    @property
    def data(self) -> Any:
        """Pointer to the first element."""
        from gpuport.host.cuda import MemoryPointer

        return MemoryPointer(self)

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
    def real(self) -> ndarray:
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
        return wrap(np.zeros_like(self._a))

    @imag.setter
    def imag(self, value: Any) -> None:
        if self._a.dtype.kind != "c":
            raise TypeError("cannot set imag to float array")
        indexing.assign(self.imag, Ellipsis, value)

    # host side ------------------------------------------------------------------------------
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
        counters.d2h(self._a.nbytes)
        if not (self._a.flags.c_contiguous or self._a.flags.f_contiguous):
            KERNELS["cupy_copy"] += 1
        if out is None:
            return np.array(self._a, order=order)  # type: ignore[call-overload]
        out[...] = self._a
        return out

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

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
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

    # arithmetic -----------------------------------------------------------------------------
    __add__, __radd__, __iadd__ = _binary("add")
    __sub__, __rsub__, __isub__ = _binary("subtract")
    __mul__, __rmul__, __imul__ = _binary("multiply")
    __truediv__, __rtruediv__, __itruediv__ = _binary("true_divide")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _binary("floor_divide")
    __mod__, __rmod__, __imod__ = _binary("remainder")
    __pow__, __rpow__, __ipow__ = _binary("power")
    __lshift__, __rlshift__, __ilshift__ = _binary("left_shift")
    __rshift__, __rrshift__, __irshift__ = _binary("right_shift")
    __and__, __rand__, __iand__ = _binary("bitwise_and")
    __or__, __ror__, __ior__ = _binary("bitwise_or")
    __xor__, __rxor__, __ixor__ = _binary("bitwise_xor")
    __matmul__, __rmatmul__, _ = _binary("matmul")
    __divmod__, __rdivmod__, _ = _binary("divmod")
    __lt__ = _comparison("less")
    __le__ = _comparison("less_equal")
    __gt__ = _comparison("greater")
    __ge__ = _comparison("greater_equal")
    __eq__ = _comparison("equal")
    __ne__ = _comparison("not_equal")
    del _

    def __neg__(self) -> Any:
        return FUNCTIONS["negative"](self)

    def __pos__(self) -> Any:
        return FUNCTIONS["positive"](self)

    def __abs__(self) -> Any:
        return FUNCTIONS["absolute"](self)

    def __invert__(self) -> Any:
        return FUNCTIONS["invert"](self)

    # conversion and shape -------------------------------------------------------------------
    def astype(
        self,
        dtype: Any,
        order: Any = "K",
        casting: Any = None,
        subok: Any = None,
        copy: bool = True,
    ) -> ndarray:
        """Cast to `dtype`; the array itself where nothing changes and `copy` is false."""
        target = check_dtype(dtype)
        if casting is not None:
            warnings.warn("casting is ignored", stacklevel=2)
        if not copy and target == self._a.dtype and _ordered(self._a, order):
            return self
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
        indexing.assign(self, Ellipsis, value)

    def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> ndarray:
        """The same elements under another shape, a view where possible."""
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        for length in shape:
            if isinstance(length, ndarray):
                raise TypeError("'ndarray' object cannot be interpreted as an integer")
        return self._moved(self._a.reshape(shape, order=order), copy)

    def _moved(self, result: Any, copy: Any = None) -> ndarray:
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

    def reduced_view(self, dtype: Any = None) -> ndarray:
        """Fewest axes that describe the same memory."""
        return self.ravel() if self._a.flags.c_contiguous else self

    def byteswap(self, inplace: bool = False) -> ndarray:
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
        KERNELS["cupy_sort"] += 1
        self._a.sort(axis=axis, kind="stable")

    def partition(self, kth: Any, axis: int = -1) -> None:
        """Partially sort in place; CuPy sorts fully."""
        self.sort(axis)


def _axis_error(message: str) -> Exception:
    return np.exceptions.AxisError(message)


def _only(values: Any) -> Any:
    if values.ndim != 0:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return values


def _ordered(values: Any, order: Any) -> bool:
    if order in (None, "K", "A"):
        return True
    return bool(values.flags.c_contiguous if order == "C" else values.flags.f_contiguous)


def _not_writable(name: str) -> AttributeError:
    owner = "cupy._core.core._ndarray_base"
    return AttributeError(f"attribute '{name}' of '{owner}' objects is not writable")


def _method(name: str, signature: str, call: str) -> Any:
    source = f"def {name}({signature}):\n    return FUNCTIONS[{name!r}]({call})\n"
    scope: dict[str, Any] = {"FUNCTIONS": FUNCTIONS}
    METHOD_SCOPES.append(scope)
    exec(source, scope)
    return scope[name]


_DELEGATED = {
    "all": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "any": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "argmax": ("self, axis=None, out=None, dtype=None, keepdims=False",) * 2,
    "argmin": ("self, axis=None, out=None, dtype=None, keepdims=False",) * 2,
    "argpartition": ("self, kth, axis=-1", "self, kth, axis"),
    "argsort": ("self, axis=-1, kind=None", "self, axis, kind"),
    "choose": ("self, choices, out=None, mode='raise'", "self, choices, out, mode"),
    "clip": ("self, min=None, max=None, out=None", "self, min, max, out"),
    "compress": ("self, condition, axis=None, out=None", "condition, self, axis, out"),
    "conj": ("self", "self"),
    "conjugate": ("self", "self"),
    "cumprod": ("self, axis=None, dtype=None, out=None", "self, axis, dtype, out"),
    "cumsum": ("self, axis=None, dtype=None, out=None", "self, axis, dtype, out"),
    "diagonal": ("self, offset=0, axis1=0, axis2=1", "self, offset, axis1, axis2"),
    "dot": ("self, b, out=None", "self, b, out"),
    "max": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "mean": ("self, axis=None, dtype=None, out=None, keepdims=False",) * 2,
    "min": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "nonzero": ("self", "self"),
    "prod": (
        "self, axis=None, dtype=None, out=None, keepdims=None",
        "self, axis, dtype, out, bool(keepdims)",
    ),
    "ptp": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "put": ("self, indices, values, mode='wrap'", "self, indices, values, mode"),
    "repeat": ("self, repeats, axis=None", "self, repeats, axis"),
    "round": ("self, decimals=0, out=None", "self, decimals, out"),
    "searchsorted": ("self, v, side='left', sorter=None", "self, v, side, sorter"),
    "std": ("self, axis=None, dtype=None, out=None, ddof=0, keepdims=False",) * 2,
    "sum": ("self, axis=None, dtype=None, out=None, keepdims=False",) * 2,
    "take": ("self, indices, axis=None, out=None", "self, indices, axis, out"),
    "trace": ("self, offset=0, axis1=0, axis2=1, dtype=None, out=None",) * 2,
    "var": ("self, axis=None, dtype=None, out=None, ddof=0, keepdims=False",) * 2,
}
"""Methods that are the cupy function of their name: signature, and how the function is called."""

for _name, (_signature, _call) in _DELEGATED.items():
    if _signature == _call:
        _parts = [part.split("=")[0] for part in _call.split(", ")]
        _call = ", ".join(part if part == "self" else f"{part}={part}" for part in _parts)
    setattr(ndarray, _name, _method(_name, _signature, _call))
