"""What CuPy's functions refuse where NumPy's function of that name answers, and in which words.

Recorded on CuPy 14.2.0's own front end.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host.kernelrefusals import (
    INTEGER_TYPES,
    comparable,
    no_dtype_of_complex_sums,
    of_a_dtype,
)
from gpuport.host.transformrefusals import TRANSFORMS

Given = dict[str, Any]
Condition = Callable[[Given], None]

_EMPTY = "zero-size array to reduction operation"
_BOOLEAN_SUBTRACT = (
    "cupy boolean subtract, the `-` operator, is deprecated, use the bitwise_xor, the `^` "
    "operator, or the logical_xor function instead."
)


def no_axis(given: Given) -> None:
    """An array without axes has no axis 0 either.

    Raises
    ------
    numpy.exceptions.AxisError
    """
    axis = given.get("axis")
    if axis is None or isinstance(axis, tuple) or getattr(given["a"], "ndim", 1) != 0:
        return
    raise np.exceptions.AxisError(operator.index(axis), 0)


def _two_axes(given: Given) -> None:
    array, first, second = given["a"], given["axis1"], given["axis2"]
    if all(-array.ndim <= axis < array.ndim for axis in (first, second)):
        return
    raise np.exceptions.AxisError(
        f"axis1(={first}) and axis2(={second}) must be within range (ndim={array.ndim})"
    )


def _at_least_two_axes(given: Given) -> None:
    if given["a"].ndim < 2:
        raise ValueError("Input must be >= 2-d")


def _contiguous(given: Given) -> None:
    """The complex copy that is sorted keeps the order of the axes."""
    if given["a"].ndim == 0:
        raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
    if not np.empty_like(given["a"]._a).flags.c_contiguous:
        raise NotImplementedError("Sorting non-contiguous array is not supported.")


def _no_truth_values_along_an_axis(given: Given) -> None:
    if given["axis"] is not None and given["ar"].dtype == np.bool_:
        raise TypeError(_BOOLEAN_SUBTRACT)


def _place_in_range(given: Given) -> None:
    array, axis = given["a"], given["axis"]
    if array.ndim == 0:
        raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
    if axis is None or not -array.ndim <= axis < array.ndim or array.shape[axis]:
        return
    raise ValueError(f"kth(={given['kth']}) out of bounds 0")


def _norm_of_something(given: Given) -> None:
    array, order = given["x"], given["ord"]
    plain = isinstance(order, (int, float)) and given["axis"] is None
    if plain and array.ndim == 2 and array.size == 0:
        if order in (2, -2):
            raise IndexError("cannot do a non-empty take from an empty axes.")
        if order == np.inf:
            raise ValueError(f"{_EMPTY} cupy_max which has no identity")


def _one_matrix(given: Given) -> None:
    """Source: ``expm``, _matfuncs.py, which takes the diagonal first."""
    if given["a"].size and given["a"].ndim > 2:
        raise ValueError("Input must be 1- or 2-d.")


def _one_or_two_axes(given: Given) -> None:
    if any(part.ndim not in (1, 2) for part in given["tup"]):
        raise ValueError("Only 1 or 2 dimensional arrays can be column stacked")


def _middle_of_nothing(given: Given) -> None:
    if given["a"].size == 0 and (given["axis"] is None or _is_empty_along(given)):
        raise ValueError("kth(=-1) out of bounds 0")


def _middle_of_no_integers(given: Given) -> None:
    """Floating-point data are sorted in another way, that gives NaN."""
    if given["a"].dtype.kind not in "fc":
        _middle_of_nothing(given)


def _both(first: Condition, second: Condition) -> Condition:
    def check(given: Given) -> None:
        first(given)
        second(given)

    return check


def _whole_shifts(given: Given) -> None:
    shift = given["shift"]
    kind = getattr(shift, "dtype", np.dtype(np.int64))
    if hasattr(shift, "_a") and kind.kind in "fc":
        raise TypeError(
            f"Cannot cast output operand from dtype('{kind}') to dtype('int64') according to the "
            "rule 'same_kind'"
        )


def _mean_of_nothing(given: Given) -> None:
    no_axis(given)
    if given["a"].size == 0 and (given["axis"] is None or _is_empty_along(given)):
        raise ValueError(f"{_EMPTY} cupy_nanmean which has no identity")


def _filled_with_one_value(given: Given) -> None:
    value = given["fill_value"]
    if isinstance(value, np.ndarray) and value.size != 1:
        raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")


def _no_negative_lengths(given: Given) -> None:
    if any(isinstance(given[length], int) and given[length] < 0 for length in "NM"):
        raise ValueError("Negative dimensions are not allowed")


def _numbers_that_fit(given: Given) -> None:
    """Source: ``kron``, linalg/_product.py, which multiplies by a number as it is."""
    kinds = [getattr(given[name], "dtype", None) for name in "ab"]
    for number, kind in zip((given["a"], given["b"]), reversed(kinds), strict=True):
        if type(number) is int and kind is not None and kind.kind in "iu":
            kind.type(number)


def _two_or_three_axes(given: Given) -> None:
    if getattr(given["image"], "ndim", 2) not in (2, 3):
        raise NotImplementedError("Only 2D and 3D distance transforms are supported.")


def _is_empty_along(given: Given) -> bool:
    axes = given["axis"] if isinstance(given["axis"], tuple) else (given["axis"],)
    shape = given["a"].shape
    return any(shape[axis] == 0 for axis in axes if -len(shape) <= axis < len(shape))


def _range_of_real_numbers(given: Given) -> None:
    """Source: ``arange``, _creation/ranges.py, which counts the steps so."""
    start, stop, step = given["start"], given["stop"], given["step"]
    numbers = [x for x in (start, stop, step) if x is not None]
    if all(type(x) in (int, float) or hasattr(x, "_a") for x in numbers):
        return
    low, high = (0, start) if stop is None else (start, stop)
    np.ceil((high - low) / (1 if step is None else step))


def _as_many_axes(given: Given) -> None:
    axes = given["axes"]
    if not isinstance(axes, (list, tuple)) or len(axes) != 2:
        return
    first, second = axes
    listed = isinstance(first, (list, tuple)) and isinstance(second, (list, tuple))
    if listed and len(first) != len(second):
        raise ValueError("Axes length mismatch")


def _one_square_matrix(given: Given) -> None:
    """Source: ``_lu_factor``, cupyx/scipy/linalg/_decomp_lu.py."""
    dimensions = getattr(given["a"], "ndim", 2)
    if dimensions != 2:
        raise np.linalg.LinAlgError(
            f"{dimensions}-dimensional array given. Array must be two-dimensional"
        )


def _index_on_the_device(given: Given) -> None:
    """Source: ``_measurements.py`` of cupyx.scipy.ndimage."""
    index = given["index"]
    if index is not None and not hasattr(index, "_a") and not isinstance(index, int):
        raise TypeError("index must be cupy.ndarray or a scalar int")


def _two_lengths(name: str) -> Condition:
    """Source: the functions of linalg/, which unpack the shape of a matrix."""

    def check(given: Given) -> None:
        ndim = getattr(given[name], "ndim", 2)
        if ndim < 2:
            raise ValueError(f"not enough values to unpack (expected 2, got {ndim})")

    return check


def _indices_of_whole_numbers(given: Given) -> None:
    if given["indices"].dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")


def _without_old_parameters(given: Given) -> None:
    if given["bias"] is not None or given["ddof"] is not None:
        warnings.warn(
            "bias and ddof have no effect and are deprecated", DeprecationWarning, stacklevel=5
        )
        given["bias"] = given["ddof"] = None


def _shape_of_the_array(given: Given) -> None:
    """Source: ``_new_like_order_and_strides``, _creation/basic.py: no shape is what () is too."""
    if isinstance(given["shape"], tuple) and not given["shape"]:
        given["shape"] = None
    if given["order"] is not None:
        given["order"].upper()


NO_FLOATING_POINT_OF_THE_HOST = frozenset({"cupy.nanmean", "cupy.nanvar", "cupy.nanstd"})
"""Functions that hand whole numbers of the host on to NumPy, and all others to their kernel."""


def refuse_floating(given: Given) -> None:
    """Refuse floating-point numbers of the host.

    Raises
    ------
    TypeError
    """
    array = given["a"]
    if isinstance(array, (np.ndarray, np.generic)) and array.dtype.kind in "fc":
        kind = type(array)
        label = kind.__name__
        raise TypeError(
            "Argument 'a' has incorrect type (expected cupy._core.core._ndarray_base, "
            f"got numpy.{label})"
        )


def _order_of_new_memory(given: Given) -> None:
    """Source: ``_normalize_order``, core.pyx: all orders but Fortran's are C order."""
    order = given["order"]
    if isinstance(order, str) and order[:1] in ("A", "K", "a", "k"):
        given["order"] = "F" if "N" in given else "C"  # the diagonal is written to a transpose


_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")
_NEWER_METHODS = (
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    "hazen", "weibull", "median_unbiased", "normal_unbiased",
)  # fmt: skip


def _known_method(name: str) -> Condition:
    """Source: ``_quantile_unchecked``, _statistics/order.py."""

    def check(given: Given) -> None:
        if given["interpolation"] is not None:
            warnings.warn(
                f"the `interpolation=` argument to {name} was renamed to `method=`, which has "
                "additional options.\nUsers of the modes 'nearest', 'lower', 'higher', or "
                "'midpoint' are encouraged to review the method they. (Deprecated NumPy 1.22)",
                DeprecationWarning,
                stacklevel=5,
            )
            if given["method"] != "linear":
                raise TypeError(
                    "You shall not pass both `method` and `interpolation`!\n"
                    "(`interpolation` is Deprecated in favor of `method`)"
                )
            given["method"], given["interpolation"] = given["interpolation"], None
        method = given["method"]
        if method in _NEWER_METHODS:
            raise ValueError(
                f"'{method}' method is not yet supported. Please use any other method."
            )
        if method not in _METHODS:
            raise ValueError(
                f"Unexpected interpolation method.\nActual: '{method}' not in ('linear', 'lower', "
                "'higher', 'midpoint')"
            )

    return check


_REDUCTIONS = (
    "sum", "prod", "max", "min", "amax", "amin", "all", "any", "alltrue", "sometrue", "product",
    "ptp", "nansum", "nanprod", "nanmax", "nanmin", "nanargmax", "nanargmin",
    "count_nonzero", "cumsum", "cumprod", "cumproduct", "nancumsum", "nancumprod",
)  # fmt: skip

CONDITIONS: dict[str, Condition] = {
    **{f"cupy.{name}": no_axis for name in _REDUCTIONS},
    **{
        f"cupy.{name}": _both(no_axis, of_a_dtype(f"{kernel}_with_dtype", INTEGER_TYPES))
        for name, kernel in (("sum", "sum"), ("prod", "prod"), ("product", "prod"))
    },
    "cupy.mean": of_a_dtype("mean", INTEGER_TYPES + "d"),
    "cupy.trace": _both(_two_axes, of_a_dtype("sum_with_dtype", INTEGER_TYPES)),
    **TRANSFORMS,
    **{f"cupy.{name}_like": _shape_of_the_array for name in ("zeros", "ones", "empty")},
    **{f"cupy.{name}": _order_of_new_memory for name in ("zeros", "ones", "empty", "eye")},
    "cupy.nansum": _both(
        _both(no_axis, no_dtype_of_complex_sums("nansum")), of_a_dtype("nansum_with_dtype")
    ),
    "cupy.nanprod": _both(
        _both(no_axis, no_dtype_of_complex_sums("nanprod")), of_a_dtype("nanprod_with_dtype")
    ),
    "cupy.arange": _range_of_real_numbers,
    "cupy.intersect1d": comparable("arr1", "arr2"),
    "cupy.setdiff1d": comparable("ar1", "ar2"),
    "cupy.isin": comparable("element", "test_elements"),
    "cupy.in1d": comparable("ar1", "ar2"),
    "cupy.linalg.svd": _two_lengths("a"),
    "cupy.linalg.pinv": _two_lengths("a"),
    "cupy.linalg.cond": _two_lengths("x"),
    "cupy.take_along_axis": _indices_of_whole_numbers,
    "cupy.corrcoef": _without_old_parameters,
    "cupy.percentile": _known_method("percentile"),
    "cupy.quantile": _known_method("quantile"),
    "cupy.tensordot": _as_many_axes,
    "cupyx.scipy.linalg.lu_factor": _one_square_matrix,
    "cupyx.scipy.ndimage.sum_labels": _index_on_the_device,
    "cupy.roll": _whole_shifts,
    "cupy.nanmedian": _middle_of_no_integers,
    "cupy.diagonal": _two_axes,
    "cupy.rot90": _at_least_two_axes,
    "cupy.sort_complex": _contiguous,
    "cupy.unique": _no_truth_values_along_an_axis,
    "cupy.partition": _place_in_range,
    "cupy.linalg.norm": _norm_of_something,
    "cupyx.scipy.linalg.expm": _one_matrix,
    "cupy.column_stack": _one_or_two_axes,
    "cupy.median": _middle_of_nothing,
    "cupy.nanmean": _both(_mean_of_nothing, of_a_dtype("mean", from_float="nanmean")),
    "cupy.full_like": _both(_shape_of_the_array, _filled_with_one_value),
    "cupy.tri": _no_negative_lengths,
    "cupy.kron": _numbers_that_fit,
    "cupyx.scipy.ndimage.distance_transform_edt": _two_or_three_axes,
}
"""By CuPy's name: what is checked of the arguments before NumPy is asked."""


def no_loop_for_complex_numbers(name: str, types: str, operands: list[str]) -> Condition | None:
    """What refuses complex operands of a ufunc whose loops (``"f->f d->d"``) take none."""
    if not types or "F" in types or "D" in types:
        return None

    def check(given: Given) -> None:
        kinds = tuple(np.asarray(getattr(given[x], "_a", given[x])).dtype for x in operands)
        if any(kind.kind == "c" for kind in kinds):
            raise TypeError(f"Wrong type ({kinds}) of arguments for {name}")

    return check
