"""Short ways from the plainest calls to NumPy: device arrays, and an axis at most.

What is out of the ordinary (``out=``, ``dtype=``, an axis that there is not) takes the general way,
which knows what CuPy says of it. Both ways compute and count the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.launches import SYNCS, counted
from gpuport.host.memoryorder import in_c_order, scanned
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.silence import quiet, restore

_Reduction = Callable[[Any, Any], Any]


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


def _whether_any(values: Any, axis: Any) -> Any:
    return np.logical_or.reduce(values, axis, bool)


def _whether_all(values: Any, axis: Any) -> Any:
    return np.logical_and.reduce(values, axis, bool)


_REDUCTIONS: dict[str, _Reduction] = {
    "cupy.sum": np.add.reduce,
    "cupy.prod": np.multiply.reduce,
    "cupy.max": np.maximum.reduce,
    "cupy.amax": np.maximum.reduce,
    "cupy.min": np.minimum.reduce,
    "cupy.amin": np.minimum.reduce,
    "cupy.any": _whether_any,
    "cupy.all": _whether_all,
    "cupy.mean": np.ndarray.mean,
    "cupy.std": np.ndarray.std,
    "cupy.var": np.ndarray.var,
    "cupy.cumsum": np.ndarray.cumsum,
    "cupy.cumprod": np.ndarray.cumprod,
}
"""What NumPy's function of the name comes down to for an array, an axis and nothing else."""


def _arranged(result: Any, axis: Any) -> Any:
    return in_c_order(result)


def _reducing(qualified: str, reduction: _Reduction) -> Callable[[Any, Any], Any]:
    count = counted(qualified)
    assert isinstance(count, int)
    assert qualified not in SYNCS
    arrange = scanned if qualified.startswith("cupy.cum") else _arranged

    def reduced(array: Any, axis: Any) -> Any:
        if type(array) is not ndarray:
            return None
        values = array._a
        if axis is not None and (type(axis) is not int or not values.ndim):
            return None
        token = quiet()
        try:
            result = reduction(values, axis)
        except (TypeError, ValueError):
            return None  # the general way says what is wrong
        finally:
            restore(token)
        if result.size:
            KERNELS[qualified] += count
        return wrap(result if result.ndim < 2 else arrange(result, axis))

    return reduced


SHORTCUTS = {
    name: Shortcut(_reducing(name, reduction), ("a", "axis"))
    for name, reduction in _REDUCTIONS.items()
}
"""By CuPy's qualified name."""
