"""Small parts of the surface: broadcasting objects, memory bounds, listings, library settings."""

from __future__ import annotations

import contextvars
import sys
import warnings
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.creation import array
from gpuport.host.dtypes import cast, check_dtype
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.registry import HANDWRITTEN, implements
from gpuport.host.silence import quiet, restore
from gpuport.host.state import cupy_major


@implements("cupy.broadcast")
class broadcast:
    """Arrays seen under their common shape."""

    __module__ = "cupy._core._routines_manipulation"

    def __init__(self, *arrays: Any) -> None:
        shapes = [x.shape for x in arrays if isinstance(x, ndarray)]
        try:
            self.shape: tuple[int, ...] = np.broadcast_shapes(*shapes)
        except ValueError:
            listed = " ".join(map(str, shapes))
            raise ValueError(
                f"operands could not be broadcast together with shapes {listed}"
            ) from None
        self.values = tuple(_stretched(x, self.shape) for x in arrays)
        self.nd = len(self.shape)
        self.size = int(np.prod(self.shape, dtype=np.int64))


def _stretched(value: Any, shape: tuple[int, ...]) -> Any:
    if not isinstance(value, ndarray) or value.shape == shape:
        return value
    view = np.broadcast_to(value._a, shape)
    try:
        view.flags.writeable = True  # CuPy's views can be written to
    except ValueError:
        view = np.lib.stride_tricks.as_strided(value._a, shape, view.strides)
    return wrap(view, value)


@implements("cupy.broadcast_to")
def broadcast_to(array: Any, shape: Any) -> Any:
    """View under a larger shape."""
    lengths = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if any(isinstance(length, int) and length < 0 for length in lengths):
        raise ValueError(
            f"operands could not be broadcast together with shape {array.shape} and requested "
            f"shape {lengths}"
        )
    return array if array.shape == lengths else _stretched(array, lengths)


@implements("cupy.broadcast_arrays")
def broadcast_arrays(*args: Any) -> Any:
    """Views under the common shape."""
    found = broadcast(*args).values
    return found if cupy_major() >= 14 else list(found)


@implements("cupy.byte_bounds")
def byte_bounds(a: Any) -> tuple[int, int]:
    """First address, and the one behind the last element."""
    if a.size == 0:  # CuPy takes no memory for it
        return 0, 0
    low, high = np.lib.array_utils.byte_bounds(a._a)
    return int(low), int(high)


def _is_ours(module: str) -> bool:
    """A module of the backend; compiled functions have no ``__name__`` in their globals."""
    return module in ("", "builtins", "cupy") or module.startswith("gpuport.host")


@implements("cupy.who")
def who(vardict: dict[str, Any] | None = None) -> None:
    """Print the device arrays of a namespace; by default of the caller's globals."""
    if vardict is None:
        frame = sys._getframe(1)
        while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
            frame = frame.f_back
        vardict = frame.f_globals
    rows: list[tuple[str, str, str, str]] = []
    first: dict[int, str] = {}
    total = 0
    for name in sorted(n for n, value in vardict.items() if isinstance(value, ndarray)):
        found = vardict[name]
        label = f"{name} ({first[id(found)]})" if id(found) in first else name
        if id(found) not in first:
            first[id(found)] = name
            total += found.nbytes
        rows.append((label, " x ".join(map(str, found.shape)), str(found.nbytes), found.dtype.name))
    if rows:
        widths = [max(10, *(len(row[column]) for row in rows)) for column in range(3)]
        head = f"Name {widths[0] * ' '} Shape {widths[1] * ' '} Bytes {widths[2] * ' '} Type"
        print(f"{head}\n{'=' * (len(head) + 5)}\n")
        for row in rows:
            pads = [" " * (widths[i] - len(row[i]) + (4, 5, 5)[i]) for i in range(3)]
            print(f"{row[0]} {pads[0]} {row[1]} {pads[1]} {row[2]} {pads[2]} {row[3]}")
    print(f"\nUpper bound on total bytes  =       {total}")


def _warn_of_nd_planning() -> None:
    if cupy_major() >= 14:
        warnings.warn("`enable_nd_planning` is deprecated", DeprecationWarning, stacklevel=3)


class _FFTConfig:
    """Settings of FFT plans: remembered, without effect on the host."""

    _enable_nd_planning = contextvars.ContextVar("cupy.fft.config.enable_nd_planning", default=True)
    _use_multi_gpus = contextvars.ContextVar("cupy.fft.config.use_multi_gpus", default=False)
    _devices: contextvars.ContextVar[Any] = contextvars.ContextVar(
        "cupy.fft.config.devices", default=None
    )

    @property
    def enable_nd_planning(self) -> bool:
        """Deprecated: plans in several dimensions are always allowed."""
        _warn_of_nd_planning()
        return self._enable_nd_planning.get()

    @enable_nd_planning.setter
    def enable_nd_planning(self, value: bool) -> None:
        _warn_of_nd_planning()
        self._enable_nd_planning.set(value)

    use_multi_gpus = property(
        lambda self: self._use_multi_gpus.get(),
        lambda self, value: self._use_multi_gpus.set(value),
    )

    def set_cufft_gpus(self, gpus: Any) -> None:
        """One device is all there is."""
        if (gpus if isinstance(gpus, int) else len(gpus)) > 1:
            raise ValueError("the host backend stands for one device")


HANDWRITTEN["cupy.fft.config"] = _FFTConfig()


@implements("cupy.meshgrid")
def meshgrid(*xi: Any, **kwargs: Any) -> tuple[Any, ...]:
    """Coordinates of a grid."""
    indexing = kwargs.pop("indexing", "xy")
    copy = bool(kwargs.pop("copy", True))
    sparse = bool(kwargs.pop("sparse", False))
    if kwargs:
        raise TypeError(f"meshgrid() got an unexpected keyword argument '{next(iter(kwargs))}'")
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    for x in xi:
        if x.ndim != 1:
            raise ValueError("input has to be 1d")
        if not isinstance(x, ndarray):
            raise ValueError("input has to be cupy.ndarray")
    if len(xi) <= 1:
        return xi
    axes = list(range(len(xi)))
    if indexing == "xy":
        axes[0], axes[1] = 1, 0
    lengths = [xi[place].size for place in axes]  # the first two change places again
    found = []
    for axis, x in zip(axes, xi, strict=True):
        alone = [1] * len(xi)
        alone[axis] = x.size
        values = x._a.reshape(alone)
        if copy:
            made = np.empty(alone if sparse else lengths, values.dtype)
            made[...] = values
            KERNELS["cupy_copy"] += 1 if made.size else 0
            found.append(wrap(made))
        else:
            part = wrap(values, x)
            found.append(part if sparse else _stretched(part, tuple(lengths)))
    return tuple(found)


_NUMBERS = frozenset((int, float))


@implements("cupy.linspace")
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Evenly spaced values."""
    if dtype is not None:
        dtype = check_dtype(dtype)
    if num < 0:
        raise ValueError("linspace with num<0 is not supported")
    arrays, ends = False, [start, stop]
    if type(start) not in _NUMBERS or type(stop) not in _NUMBERS:
        ends = [x if np.isscalar(x) else array(x)._a for x in ends]
        arrays = any(np.ndim(x) for x in ends)
        on_device = sum(isinstance(x, ndarray) for x in (start, stop))
        counters.sync(min(on_device, 1) if arrays else on_device)  # of arrays the step is looked at
    if not arrays:
        float(ends[1] - ends[0])  # as CuPy computes the step: of real numbers
    KERNELS["cupy_linspace"] += 6 if arrays else 1
    token = quiet()
    try:
        if arrays:
            ends = [end * 1.0 for end in ends]
        values, step = np.linspace(*ends, num, bool(endpoint), True)  # type: ignore[call-overload]
        if dtype is not None:
            values = cast(np.floor(values) if dtype.kind in "iu" else values, dtype)
    finally:
        restore(token)
    values = in_c_order(values)
    if arrays:
        values = np.moveaxis(values, 0, axis if isinstance(axis, (tuple, float)) else int(axis))
    if not retstep:
        return wrap(values)
    return wrap(values), wrap(np.asarray(step)) if arrays else float(step)


@implements("cupy.logspace")
def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Values whose logarithms are evenly spaced."""
    powers = FUNCTIONS["power"](base, linspace(start, stop, num, endpoint, axis=axis))
    return powers if dtype is None else powers.astype(dtype)
