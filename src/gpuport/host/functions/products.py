"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.creation import array
from gpuport.host.dtypes import SCALAR_TYPES, cast, flush_denormals
from gpuport.host.finishing import descends
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.operands import operand, store_cast
from gpuport.host.registry import implements
from gpuport.host.shortcuts import SHORTCUTS, Shortcut
from gpuport.host.silence import quiet, restore


def _multiplied(x1: Any, x2: Any) -> Any:
    """Product of two vectors or matrices that fit; None for all else."""
    if type(x1) is not ndarray or type(x2) is not ndarray:
        return None
    left, right = x1._a, x2._a
    if not 3 > left.ndim > 0 < right.ndim < 3 or left.shape[-1] != right.shape[0]:
        return None
    token = quiet()
    try:
        result = in_c_order(np.matmul(left, right))
    except (TypeError, ValueError):
        return None  # the general way says what is wrong
    finally:
        restore(token)
    KERNELS["cupy_matmul"] += 1
    if result.dtype == np.float32:
        flush_denormals(result)
    return wrap(result)


def _contracted(a: Any, b: Any, axes: Any) -> Any:
    """Product of two arrays over axes; None for all else."""
    if type(a) is not ndarray or type(b) is not ndarray:
        return None
    token = quiet()
    try:
        result = in_c_order(np.tensordot(a._a, b._a, axes))
    except (TypeError, ValueError, IndexError):
        return None  # the general way says what is wrong
    finally:
        restore(token)
    KERNELS["cupy.tensordot"] += 1 if result.size else 0
    return wrap(result)


SHORTCUTS["cupy.tensordot"] = Shortcut(_contracted, ("a", "b", "axes"))
SHORTCUTS["cupy.matmul"] = Shortcut(_multiplied, ("x1", "x2"))


@implements("cupy.matmul")
def matmul(x1: Any, x2: Any, /, out: Any = None, **kwargs: Any) -> Any:
    """Matrix product."""
    if kwargs.get("axes") is None:
        _check_multiplied(x1, x2)
    KERNELS["cupy_matmul"] += 1
    casting = kwargs.pop("casting", "same_kind")
    into, kwargs["out"] = (out[0] if isinstance(out, tuple) else out), None
    if into is not None and "axes" in kwargs:
        kwargs["out"] = np.empty(into.shape, np.result_type(operand(x1), operand(x2)))
    token = quiet()
    try:
        result = in_c_order(np.matmul(operand(x1), operand(x2), **kwargs))
    finally:
        restore(token)
    if result.dtype == np.float32:
        flush_denormals(result)
    if into is not None and into.shape != result.shape:
        result = np.broadcast_to(result, into.shape)
    return store_cast(result, into, casting)


def _check_multiplied(x1: Any, x2: Any) -> None:
    """What CuPy says of factors that do not fit; source: ``matmul``, _routines_linalg.pyx."""
    if type(x1) is ndarray and type(x2) is ndarray and 3 > x1._a.ndim > 0 < x2._a.ndim < 3:
        if x1._a.shape[-1] != x2._a.shape[0]:
            raise ValueError("Axis dimension mismatch")
        return
    for name, value in (("a", x1), ("b", x2)):
        if type(value) in SCALAR_TYPES:
            kind = type(value)
            label = kind.__name__ if kind.__module__ == "builtins" else f"numpy.{kind.__name__}"
            raise TypeError(
                f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, "
                f"got {label})"
            )
    left, right = np.shape(operand(x1)), np.shape(operand(x2))
    if not left or not right:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    aligned = left[-1] == right[-2 if len(right) > 1 else 0]
    if len(left) <= 2 and len(right) <= 2 and not aligned:
        raise ValueError("Axis dimension mismatch")
    try:
        np.broadcast_shapes(left[:-2], right[:-2])
    except ValueError:
        raise ValueError("operands could not be broadcast together with remapped shapes") from None
    if not aligned:
        texts = [",".join(str(length) for length in shape) for shape in (left, right)]
        raise ValueError(f"shapes ({texts[0]}) and ({texts[1]}) not aligned")


@implements("cupy.dot")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Product over the last axis of `a` and the second-last of `b`."""
    left, right = operand(a), operand(b)
    if out is not None:
        if np.result_type(left, right) != out.dtype:
            raise ValueError("Not supported dtype combination.")
        if not out.flags.c_contiguous:
            raise ValueError("Output array must be C-contiguous")
    scalar = not (np.ndim(left) and np.ndim(right))
    if not scalar and left.shape[-1] != right.shape[-2 if right.ndim > 1 else 0]:
        raise ValueError("Axis dimension mismatch")
    KERNELS["cupy_dot"] += 1
    with np.errstate(all="ignore"):
        result = in_c_order(np.dot(left, right))
    if result.dtype == np.float32:
        flush_denormals(result)
    if out is None:
        return wrap(result)
    if out.shape != result.shape:
        raise ValueError("Output array has an invalid shape")
    out._a[...] = result
    return out


def _summed(subscripts: Any, *operands: Any) -> Any:
    """Sums of products of several arrays of one type; None for all else."""
    if type(subscripts) is not str or len(operands) < 2:
        return None
    values = []
    for x in operands:
        if type(x) is not ndarray or x._a.dtype != operands[0]._a.dtype:
            return None
        values.append(x._a)
    token = quiet()
    try:
        found = np.asarray(np.einsum(subscripts, *values))
    except (TypeError, ValueError):
        return None  # the general way says what is wrong
    finally:
        restore(token)
    KERNELS["cupy_einsum"] += len(values) - 1
    return wrap(found)


SHORTCUTS["cupy.einsum"] = Shortcut(_summed, ("subscripts", "*operands"))


@implements("cupy.einsum")
def einsum(*operands: Any, **kwargs: Any) -> Any:
    """Sums of products; every operand is brought to the result's type first, unlike NumPy's."""
    dtype, optimize = kwargs.pop("dtype", None), kwargs.pop("optimize", False)
    if kwargs:
        raise TypeError(f"Did not understand the following kwargs: {list(kwargs)}")
    given = _einsum_operands(operands)
    arrays = [x for x in given if isinstance(x, ndarray)]
    if len(arrays) == 1 and (view := _einsum_view(given, arrays[0])) is not None:
        return view
    types = {x._a.dtype for x in arrays}
    result = types.pop() if len(types) == 1 else np.result_type(*types)
    result = result if dtype is None else np.dtype(dtype)
    KERNELS["cupy_einsum"] += max(1, len(arrays) - 1)
    values = []
    for x in given:
        if not isinstance(x, ndarray):
            values.append(x)
        elif x._a.dtype == result:
            values.append(x._a)
        else:
            KERNELS["cupy_copy"] += 1
            values.append(cast(x._a, result))
    token = quiet()
    try:
        found = np.asarray(np.einsum(*values, optimize=optimize))
    finally:
        restore(token)
    return wrap(found if found.dtype == result else found.astype(result))


def _einsum_view(given: list[Any], array: ndarray) -> ndarray | None:
    """The result for one operand where nothing is summed: a view; NumPy's too ignores dtype."""
    view = np.einsum(*(x._a if isinstance(x, ndarray) else x for x in given))
    if array.ndim == 0:
        return wrap(array._a.view(), array)
    if np.may_share_memory(view, array._a) or descends(view, array._a):
        return wrap(view, array)
    return None


def _einsum_operands(operands: tuple[Any, ...]) -> list[Any]:
    """The arguments with device arrays in the places of operands, ``asanyarray`` of the others."""
    by_lists = not isinstance(operands[0], str)
    return [
        x
        if isinstance(x, (ndarray, str)) or (by_lists and (k % 2 or k + 1 == len(operands)))
        else array(x)
        for k, x in enumerate(operands)
    ]
