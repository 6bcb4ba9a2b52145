"""Plans of cuFFT: what a transform under one has to look like. The host needs none to transform."""

from __future__ import annotations

import functools
import inspect
import math
from contextvars import ContextVar
from typing import Any

import numpy as np

from gpuport.host.ndarray import ndarray
from gpuport.host.registry import implements

_CURRENT: ContextVar[Plan | None] = ContextVar("cufft_plan", default=None)


class Plan:
    """A description of transforms; ``with plan:`` holds those inside to it."""

    __module__ = "cupy.cuda.cufft"

    def __enter__(self) -> Plan:
        _CURRENT.set(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        _CURRENT.set(None)

    def check(self, other: Plan) -> None:
        """Raise what CuPy raises for a transform that needs `other`."""
        raise NotImplementedError


class Plan1d(Plan):
    """Transforms of `nx` points along one axis, `batch` of them."""

    def __init__(self, nx: int, fft_type: str, batch: int) -> None:
        self.nx, self.fft_type, self.batch = nx, fft_type, batch

    def check(self, other: Plan) -> None:
        """Raise what CuPy raises for a transform that needs `other`."""
        if not isinstance(other, Plan1d):
            raise NotImplementedError("the host backend has no Plan1d for several axes in turn")
        if self.fft_type != other.fft_type:
            raise ValueError("cuFFT plan dtype mismatch.")
        if self.nx != other.nx:
            raise ValueError("Target array size does not match the plan.", other.nx, self.nx)
        if self.batch != other.batch:
            raise ValueError("Batch size does not match the plan.")


class PlanNd(Plan):
    """Transforms of this shape along up to three axes that lie side by side."""

    def __init__(
        self, shape: tuple[int, ...], fft_type: str, order: str, last: tuple[Any, Any]
    ) -> None:
        self.shape, self.fft_type, self.order = shape, fft_type, order
        self.last_axis, self.last_size = last

    def check(self, other: Plan) -> None:
        """Raise what CuPy raises for a transform that needs `other`."""
        if not isinstance(other, PlanNd):
            raise ValueError("expected plan to have type cufft.Plan1d")
        if self.order != other.order:
            raise ValueError(f"array orders mismatch (plan: {self.order}, input: {other.order})")
        if self.shape != other.shape:
            raise ValueError(
                f"The cuFFT plan and a.shape do not match: plan.shape = {self.shape}, "
                f"expected_shape={other.shape}, a.shape = {other.shape}"
            )
        if self.fft_type != other.fft_type:
            raise ValueError("cuFFT plan dtype mismatch.")
        if self.last_axis != other.last_axis:
            raise ValueError("The last axis for R2C/C2R mismatch")
        if self.last_size != other.last_size:
            raise ValueError("The size along the last R2C/C2R axis mismatch")


_TYPES = {"C2C": ("C2C", "Z2Z"), "R2C": ("R2C", "D2Z"), "C2R": ("C2R", "Z2D")}


def _fft_type(dtype: np.dtype[Any], value_type: str) -> str:
    if value_type not in _TYPES:
        raise ValueError(f"The value type {value_type} is not supported")
    if value_type == "R2C" and dtype.kind == "c":
        raise TypeError(f"'{dtype}' is complex: R2C wants real numbers")
    single = np.result_type(dtype, np.complex64) == np.complex64
    return _TYPES[value_type][0 if single else 1]


def _one_axis(a: Any, n: int | None, axis: int, value_type: str) -> Plan1d:
    length = a.shape[axis]
    points = n if n is not None else 2 * (length - 1) if value_type == "C2R" else length
    return Plan1d(points, _fft_type(a.dtype, value_type), math.prod(a.shape) // max(length, 1))


def _axes_of(a: Any, s: Any, axes: Any) -> tuple[int, ...]:
    if axes is None:
        axes = range(-(a.ndim if s is None else len(s)), 0)
    axes = tuple(axes)
    if any(not -a.ndim <= axis < a.ndim for axis in axes):
        raise ValueError("The specified axes exceed the array dimensions.")
    return tuple(axis % a.ndim for axis in axes)


def _several_axes(a: Any, s: Any, axes: Any, value_type: str) -> PlanNd:
    places = _axes_of(a, s, axes)
    ordered = tuple(sorted(places))
    steps = zip(ordered[1:], ordered, strict=False)
    beside = all(right - left == 1 for right, left in steps)
    if not (0 < len(ordered) <= 3 and beside and (0 in ordered or a.ndim - 1 in ordered)):
        raise ValueError(
            "An n-dimensional cuFFT plan could not be created. The axes must be contiguous and "
            "non-repeating. Between one and three axes can be transformed and either the first or "
            "last axis must be included in axes."
        )
    lengths = list(a.shape)
    for axis, length in zip(places, s if s is not None else [None] * len(places), strict=True):
        if length is not None:
            lengths[axis] = length
    last = places[-1]
    size: int | None = None
    if value_type == "C2R":
        given = s is not None and s[-1] is not None
        lengths[last] = size = s[-1] if given else 2 * (a.shape[last] - 1)
    elif value_type == "R2C":
        size = lengths[last] // 2 + 1
    order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    shape = tuple(lengths[axis] for axis in ordered)
    ends = (None, None) if value_type == "C2C" else (last, size)
    kind = _fft_type(a.dtype, value_type)
    return PlanNd(shape if order == "C" else shape[::-1], kind, order, ends)


@implements("cupyx.scipy.fft.get_fft_plan", "cupyx.scipy.fftpack.get_fft_plan")
def get_fft_plan(a: Any, shape: Any = None, axes: Any = None, value_type: str = "C2C") -> Plan:
    """A plan for transforms of arrays like `a`."""
    if a.flags.c_contiguous is False and a.flags.f_contiguous is False:
        raise ValueError("Input array a must be contiguous")
    shape = (shape,) if isinstance(shape, int) else shape
    axes = (axes,) if isinstance(axes, int) else axes
    if shape is not None and axes is not None and len(shape) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    count = len(axes) if axes is not None else a.ndim if shape is None else len(shape)
    if count > 3:
        raise ValueError("Only up to three axes is supported")
    if count > 1:
        if value_type != "C2C" and a.flags.f_contiguous:
            raise ValueError("C2R/R2C PlanNd for F-order arrays is not supported")
        return _several_axes(a, shape, axes, value_type)
    axis = axes[0] if axes else -1
    if not -a.ndim <= axis < a.ndim:
        raise ValueError(
            f"The chosen axis ({axis}) exceeds the number of dimensions of a ({a.ndim})"
        )
    return _one_axis(a, shape[0] if shape is not None else None, axis, value_type)


_VALUE_TYPES = {
    "fft": "C2C", "ifft": "C2C", "rfft": "R2C", "irfft": "C2R", "hfft": "C2R", "ihfft": "R2C",
    "fft2": "C2C", "ifft2": "C2C", "rfft2": "R2C", "irfft2": "C2R",
    "fftn": "C2C", "ifftn": "C2C", "rfftn": "R2C", "irfftn": "C2R",
}  # fmt: skip


def _with_axes(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any], value_type: str
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """All axes and lengths written out, for NumPy 2 warns where they are left to it."""
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return args, kwargs  # the function says what is wrong
    if "axes" not in signature.parameters or given.get("s") is None:
        return args, kwargs
    lengths, shape = tuple(given["s"]), getattr(given["a"], "shape", ())
    if given.get("axes", signature.parameters["axes"].default) is None:
        given["axes"] = tuple(range(-len(lengths), 0))
    if None in lengths and len(lengths) == len(given["axes"]) <= len(shape):
        own = [shape[axis] for axis in given["axes"]]
        if value_type == "C2R":
            own[-1] = 2 * (own[-1] - 1)
        given["s"] = tuple(o if s is None else s for s, o in zip(lengths, own, strict=True))
    return (), dict(given)


def planned(function: Any, qualified: str) -> Any:
    """What CuPy has under a name; a transform of ``cupy.fft`` is held against the plan in use."""
    module, _, name = qualified.rpartition(".")
    value_type = _VALUE_TYPES.get(name)
    if module != "cupy.fft" or value_type is None:
        return function
    signature = inspect.signature(function)

    @functools.wraps(function)
    def transform(*args: Any, **kwargs: Any) -> Any:
        if "s" in kwargs or len(args) > 1:
            args, kwargs = _with_axes(signature, args, kwargs, value_type)
        plan = _CURRENT.get()
        if plan is None:
            return function(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        result = function(*args, **kwargs)  # other errors first
        if isinstance(given["a"], ndarray):
            needed: Plan
            if "axis" in given:
                needed = _one_axis(given["a"], given["n"], given["axis"], value_type)
            else:
                axes = _axes_of(given["a"], given["s"], given["axes"])
                several = len(axes) > 1 or isinstance(plan, PlanNd)
                length = given["s"][0] if given["s"] is not None and not several else None
                needed = (
                    _several_axes(given["a"], given["s"], given["axes"], value_type)
                    if several
                    else _one_axis(given["a"], length, axes[0], value_type)
                )
            plan.check(needed)
        return result

    return transform
