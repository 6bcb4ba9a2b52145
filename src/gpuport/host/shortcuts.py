"""Short ways from the plainest calls to NumPy: device arrays, and an axis at most.

What is out of the ordinary (``out=``, ``dtype=``, an axis that there is not) takes the general way,
which knows what CuPy says of it. Both ways compute and count the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import check_dtype
from gpuport.host.launches import SYNCS, counted
from gpuport.host.memoryorder import BY_CUB, in_c_order, reduced, scanned
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.silence import quiet, restore


class Shortcut(NamedTuple):
    """What is asked before the general way of a function.

    Attributes
    ----------
    answer : callable
        From the arguments to the result; None where the general way has to be taken.
    arguments : tuple of str
        The parameters that it takes. It is asked where all others were left out.
    """

    answer: Callable[..., Any]
    arguments: tuple[str, ...]


_Reduction = Callable[..., Any]


def _typed(reduce: Any) -> _Reduction:
    def reduction(values: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
        kind = None if dtype is None else check_dtype(dtype)
        if kind is not None and kind.kind != values.dtype.kind:
            raise TypeError  # elements are converted
        return reduce(values, axis, kind, None, keepdims)

    return reduction


def _untyped(reduce: Any, dtype: Any = None) -> _Reduction:
    return lambda values, axis, keepdims: reduce(values, axis, dtype, None, keepdims)


def _count(values: Any, axis: Any) -> int:
    return int(values.size if axis is None else values.shape[axis])


def _mean(values: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    if not values.size:
        raise ValueError  # NumPy warns
    kind = None if dtype is None else check_dtype(dtype)
    if kind is not None and kind.kind not in "fc":
        raise TypeError  # the mean is converted
    return values.mean(axis, kind, keepdims=keepdims)


def _below(ddof: Any, values: Any, axis: Any) -> Any:
    """`ddof`, where it is a number below that of the elements: for others NumPy warns."""
    if type(ddof) is not int and type(ddof) is not float:
        raise TypeError
    if ddof >= _count(values, axis):
        raise ValueError
    return ddof


def _std(values: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    return values.std(axis, None, None, _below(ddof, values, axis), keepdims=keepdims)


def _var(values: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    return values.var(axis, None, None, _below(ddof, values, axis), keepdims=keepdims)


def _arranged(result: Any, values: Any, axis: Any) -> Any:
    return in_c_order(result)


def _scanned(result: Any, values: Any, axis: Any) -> Any:
    return scanned(result, axis)


_SIMPLE = frozenset({int, type(None)})


def _reducing(qualified: str, reduction: _Reduction, arrange: Any = _arranged) -> Any:
    count = counted(qualified)
    assert isinstance(count, int)
    assert qualified not in SYNCS

    def reduced(array: Any, axis: Any, *more: Any) -> Any:
        if type(array) is not ndarray or type(axis) not in _SIMPLE:
            return None
        values = array._a
        if (axis is not None and not values.ndim) or (more and type(more[-1]) is not bool):
            return None
        token = quiet()
        try:
            result = reduction(values, axis, *more)
        except (TypeError, ValueError, IndexError):
            return None  # the general way says what is wrong
        finally:
            restore(token)
        if result.size:
            KERNELS[qualified] += count
        return wrap(result if result.ndim < 2 else arrange(result, values, axis))

    return reduced


_PLAIN = ("a", "axis", "keepdims")
_WITH_DTYPE = ("a", "axis", "dtype", "keepdims")
_WITH_DDOF = ("a", "axis", "ddof", "keepdims")
_REDUCTIONS: dict[str, tuple[_Reduction, tuple[str, ...]]] = {
    "sum": (_typed(np.add.reduce), _WITH_DTYPE),
    "prod": (_typed(np.multiply.reduce), _WITH_DTYPE),
    "mean": (_mean, _WITH_DTYPE),
    "max": (_untyped(np.maximum.reduce), _PLAIN),
    "amax": (_untyped(np.maximum.reduce), _PLAIN),
    "min": (_untyped(np.minimum.reduce), _PLAIN),
    "amin": (_untyped(np.minimum.reduce), _PLAIN),
    "any": (_untyped(np.logical_or.reduce, bool), _PLAIN),
    "all": (_untyped(np.logical_and.reduce, bool), _PLAIN),
    "std": (_std, _WITH_DDOF),
    "var": (_var, _WITH_DDOF),
}
"""What NumPy's function of the name comes down to for an array, and what it is given."""
SHORTCUTS = {
    f"cupy.{name}": Shortcut(
        _reducing(f"cupy.{name}", reduction, reduced if name in BY_CUB else _arranged), arguments
    )
    for name, (reduction, arguments) in _REDUCTIONS.items()
} | {
    f"cupy.{name}": Shortcut(_reducing(f"cupy.{name}", scan, _scanned), ("a", "axis"))
    for name, scan in (("cumsum", np.ndarray.cumsum), ("cumprod", np.ndarray.cumprod))
}
"""By CuPy's qualified name."""
