"""Elements and results converted as CuPy's kernels convert them, where NumPy does it otherwise.

A function of NumPy's converts with the host's processor, which wraps what does not fit; a kernel
saturates. Compared with CuPy 14.2.0 on a GPU; the records are in tests/host/recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host.dtypes import cast, check_dtype
from gpuport.host.finishing import store
from gpuport.host.memoryorder import BY_CUB
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.operands import store_cast

Given = dict[str, Any]
Computed = Callable[[Given], Any]

_SUMS = ("sum", "prod", "product", "trace", "cumsum", "cumprod", "cumproduct", "cumulative_sum",
         "cumulative_prod", "asarray_chkfinite")  # fmt: skip
_WITHOUT_NAN = {"nansum": 0, "nancumsum": 0, "nanprod": 1, "nancumprod": 1}
_SCANS = ("cumsum", "cumprod", "cumproduct", "nancumsum", "nancumprod")


def _of_the_dtype(neutral: Any) -> Callable[[list[Any], dict[str, Any]], None]:
    """Each element is converted before it is added; NaN is left out before that."""

    def convert(positional: list[Any], keywords: dict[str, Any]) -> None:
        dtype, values = keywords.get("dtype"), positional[0]
        if dtype is None or dtype.kind not in "iuf":
            return
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "fc":
            return  # NumPy makes an array of a list on the host
        if dtype.kind == "f" and values.dtype.kind == "f":
            return
        if neutral is not None:
            values = np.where(np.isnan(values), values.dtype.type(neutral), values)
        positional[0] = cast(values, dtype)

    return convert


def _fill_value(positional: list[Any], keywords: dict[str, Any]) -> None:
    """What an array is filled with is converted to its type."""
    dtype = keywords.get("dtype") or positional[0].dtype
    if isinstance(positional[1], np.ndarray) and positional[1].dtype != dtype:
        positional[1] = cast(positional[1], dtype)


def _counted(positional: list[Any], keywords: dict[str, Any]) -> None:
    """Quantiles of truth values are those of 0 and 1."""
    if positional[0].dtype == np.bool_:
        positional[0] = positional[0].astype(np.int64)


ELEMENTS = (
    {f"cupy.{name}": _of_the_dtype(None) for name in _SUMS}
    | {f"cupy.{name}": _of_the_dtype(neutral) for name, neutral in _WITHOUT_NAN.items()}
    | {
        "cupy.full_like": _fill_value,
        "cupy.quantile": _counted,
        "cupy.percentile": _counted,
    }
)
"""By function: what becomes of the array where a dtype is asked for."""


def _mean(computed: Computed, given: Given) -> Any:
    """The sum is made in float32 or float64; what is converted is the mean."""
    asked = given["dtype"]
    if asked is None or _is_complex(given["a"]):
        return computed(given)
    dtype = check_dtype(asked)
    if dtype.kind not in "biu" and dtype != np.float16:
        return computed(given)
    result = computed({**given, "dtype": np.float64})
    return wrap(np.asarray(cast(result._a, dtype)))


def _is_complex(array: Any) -> bool:
    return getattr(getattr(array, "dtype", None), "kind", "") == "c"


COMPUTATIONS: dict[str, Callable[[Computed, Given], Any]] = {"cupy.mean": _mean}
"""By function: how it is computed, where that is not by one call of NumPy's function."""


def _mismatch(*shapes: tuple[int, ...]) -> ValueError:
    listed = " ".join(map(str, shapes))
    return ValueError(f"operands could not be broadcast together with shapes {listed}")


def _scanned(computed: Computed, given: Given) -> Any:
    """The array is laid out over `out` and converted, and the running sum made in there."""
    array, out = given["a"], given["out"]
    if not isinstance(array, ndarray) or not isinstance(out, ndarray):
        raise TypeError(f"Unsupported type {type(array if isinstance(out, ndarray) else out)}")
    try:
        shape = np.broadcast_shapes(array.shape, out.shape)
    except ValueError:
        raise _mismatch(array.shape, out.shape) from None
    if shape != out.shape:
        raise ValueError("Out shape is mismatched")
    spread = cast(np.broadcast_to(array._a, shape), out.dtype, "C")
    found = computed({**given, "a": wrap(spread), "dtype": out.dtype, "out": None})
    out._a[...] = found._a.reshape(shape)
    return out


def _elementwise(computed: Computed, given: Given) -> Any:
    """The kernel that makes the result lays it out over `out`, and casts as ufuncs do."""
    out = given["out"]
    result = computed({**given, "out": None})
    if not isinstance(out, ndarray):
        raise TypeError(f"Unsupported type {type(out)}")
    try:
        shape = np.broadcast_shapes(result.shape, out.shape)
    except ValueError:
        raise _mismatch(result.shape, (), out.shape) from None
    if shape != out.shape:
        raise ValueError("Out shape is mismatched")
    return store_cast(result._a, out, "same_kind")


def _copied(computed: Computed, given: Given) -> Any:
    """Floating-point results are copied into `out`, over whose shape they are laid out."""
    out = given["out"]
    if given["a"].dtype.kind not in "fc":
        return store(computed(given), out)
    result = computed({**given, "out": None})
    try:
        spread = np.broadcast_to(result._a, out.shape)
    except ValueError:
        raise _mismatch(result.shape, out.shape) from None
    out._a[...] = cast(spread, out.dtype)
    return out


def _by_cub(computed: Computed, given: Given) -> Any:
    """CUB looks at the number of dimensions first; it takes memory that is one piece."""
    out, values = given["out"], given["a"]
    result = computed({**given, "out": None})
    if isinstance(out, ndarray) and isinstance(values, ndarray):
        layout = values._a.flags
        piece = layout.c_contiguous or layout.f_contiguous
        if piece and values.dtype.kind in "iufc" and out.ndim != result.ndim:
            raise ValueError(
                "output parameter for reduction operation has the wrong number of dimensions"
            )
    return store(result, out)


def _typed(computed: Computed, given: Given) -> Any:
    """Elements are converted to the type of `out` first."""
    kind = getattr(given["out"], "dtype", None)
    asked = given["dtype"]
    return store(computed({**given, "dtype": kind if asked is None else asked}), given["out"])


_ELEMENTWISE = ("around", "round", "round_", "isposinf", "isneginf")
OUTPUTS: dict[str, Callable[[Computed, Given], Any]] = {
    **{f"cupy.{name}": _scanned for name in _SCANS},
    **{f"cupy.{name}": _elementwise for name in _ELEMENTWISE},
    **{f"cupy.{name}": _by_cub for name in (*BY_CUB - {"mean"}, "product")},
    "cupy.cumulative_sum": _typed,
    "cupy.cumulative_prod": _typed,
    "cupy.nanmedian": _copied,
}
"""By function: how it writes to `out`, where that is not by a kernel that wants its shape."""
