"""What CuPy's functions give where NumPy's function of that name gives another type or layout.

Recorded on CuPy 14.2.0's own front end: types, element types and strides, not values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host.memoryorder import (
    BY_CUB,
    in_a_block,
    in_c_order,
    reduced,
    scanned,
    with_axis_swapped_to_last,
)
from gpuport.host.unwritten import mark

Given = dict[str, Any]
Adjustment = Callable[[Any, Given], Any]


def _as_it_is(result: Any, given: Given) -> Any:
    return result


def _unwritten(result: Any, given: Given) -> Any:
    mark(result)
    return result


def _axis(given: Given) -> int | None:
    """The axis asked for, as a number: it may be a truth value, or an array of the device."""
    axis = given.get("axis")
    return None if axis is None else int(axis)


def _along_axis(result: Any, given: Given) -> Any:
    return scanned(result, _axis(given))


def _transformed(result: Any, given: Given) -> Any:
    axis = _axis(given)
    return result if axis is None else with_axis_swapped_to_last(result, axis)


def _transformed_in_several_axes(result: Any, given: Given) -> Any:
    """One plan for all axes works in the order of the data."""
    layout = given["a"].flags
    return np.asarray(result, order="F" if layout.f_contiguous and not layout.c_contiguous else "C")


def _reduced(result: Any, given: Given) -> Any:
    axis, values = given["axis"], getattr(given["a"], "_a", None)
    alone = values is None or axis is None or given["keepdims"]
    return in_c_order(result) if alone else reduced(np.asarray(result), values, axis)


def _copied(result: Any, given: Given) -> Any:
    return result.copy() if result.base is not None else in_c_order(result)


def _list(result: Any, given: Given) -> Any:
    return list(result) if isinstance(result, tuple) else result


def _tuple(result: Any, given: Given) -> Any:
    return tuple(in_c_order(part) for part in result) if isinstance(result, tuple) else result


_SMALL = 32
"""Rows and columns up to which a stack of matrices is decomposed by one call of cuSOLVER."""


def _decomposed(result: Any, given: Given) -> Any:
    """Factors where cuSOLVER leaves them, tall matrices as columns and others as rows.

    Source: ``svd`` and ``_gesvdj_batched``, linalg/_decomposition.py and cupyx/cusolver.
    """
    if not isinstance(result, tuple):
        return result
    left, values, right = result
    shape = given["a"].shape
    m, n = shape[-2:]
    whole = given["full_matrices"]
    if len(shape) > 2 and max(m, n) <= _SMALL:
        factors = in_a_block(left, m, m, True), in_a_block(right, n, n, False)
    elif m <= n:
        factors = in_a_block(left, m, n if whole else m, False), in_c_order(right)
    else:
        factors = in_a_block(left, m, 0, True), in_a_block(right, m if whole else n, 0, True)
    return factors[0], in_c_order(values), factors[1]


def _complex(result: Any, given: Given) -> Any:
    """Eigenvalues are complex, also where no imaginary part is left of them."""
    if isinstance(result, tuple):
        return tuple(_complex(part, given) for part in result)
    if result.size == 0:
        return result
    return in_c_order(result.astype(np.result_type(result.dtype, np.complex64), copy=False))


def _of_the_indices_type(result: Any, given: Given) -> Any:
    kind = getattr(given["indices"], "dtype", np.dtype(np.int64))
    return tuple(part.astype(kind) for part in result)


def _weakly_promoted(result: Any, given: Given) -> Any:
    """Source: ``kron``, linalg/_product.py, which multiplies by a number as it is."""
    return result.astype(np.result_type(*(getattr(given[n], "_a", given[n]) for n in "ab")))


def _condition(result: Any, given: Given) -> Any:
    """Source: ``cond``, linalg/_norms.py: in norms other than the 2-norm of the matrix's type."""
    kind = getattr(given["x"], "dtype", np.dtype(np.float64))
    if kind.kind != "c" or given["p"] in (None, 2, -2):
        return result
    return np.asarray(result).astype(kind)


def _kept_axis(result: Any, given: Given) -> Any:
    """The median of a number has the axis along which it was sorted."""
    alone = given["keepdims"] and given["a"].ndim == 0 and np.ndim(result) == 0
    return np.asarray(result).reshape(1) if alone else result


def _kept_axis_of_integers(result: Any, given: Given) -> Any:
    return result if given["a"].dtype.kind in "fc" else _kept_axis(result, given)


def _counted(result: Any, given: Given) -> Any:
    """Quantiles of truth values are whole numbers."""
    return result.astype(np.int64) if np.asarray(result).dtype == np.bool_ else result


_AS_THEY_ARE = (
    "cupy.zeros_like", "cupy.ones_like", "cupy.full_like", "cupy.nan_to_num",
    "cupy.unwrap", "cupy.roll", "cupy.pad", "cupy.fft.fftshift", "cupy.fft.ifftshift", "cupy.cross",
)  # fmt: skip
_SCANS = ("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod")
_ALONG_ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
_ALONG_SEVERAL_AXES = ("fft2", "ifft2", "rfft2", "fftn", "ifftn", "rfftn")

ADJUSTMENTS: dict[str, Adjustment] = {
    **dict.fromkeys(_AS_THEY_ARE, _as_it_is),
    **{f"cupy.{name}": _along_axis for name in _SCANS},
    **{f"cupy.fft.{name}": _transformed for name in _ALONG_ONE_AXIS},
    **{f"cupy.fft.{name}": _transformed_in_several_axes for name in _ALONG_SEVERAL_AXES},
    **{f"cupy.{name}": _reduced for name in BY_CUB},
    "cupy.empty": _unwritten,
    "cupy.empty_like": _unwritten,
    "cupy.diag": _copied,
    "cupy.gradient": _list,
    "cupy.unravel_index": _of_the_indices_type,
    "cupy.linalg.svd": _decomposed,
    "cupy.atleast_1d": _list,
    "cupy.atleast_2d": _list,
    "cupy.atleast_3d": _list,
    "cupy.linalg.slogdet": _tuple,
    "cupy.linalg.eig": _complex,
    "cupy.linalg.eigvals": _complex,
    "cupy.linalg.cond": _condition,
    "cupy.kron": _weakly_promoted,
    "cupy.median": _kept_axis,
    "cupy.nanmedian": _kept_axis_of_integers,
    "cupy.quantile": _counted,
    "cupy.percentile": _counted,
}
