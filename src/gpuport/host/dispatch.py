"""NumPy's functions called on device arrays: they answer with CuPy's, or refuse as CuPy does."""

from __future__ import annotations

import sys
from functools import reduce
from typing import Any

import numpy as np

from gpuport.host.dtypes import SCALAR_TYPES
from gpuport.host.ndarray import ndarray

_COMPARISONS = frozenset({"greater", "greater_equal", "less", "less_equal", "equal", "not_equal"})


def array_ufunc(ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """NEP 13 for device arrays; NotImplemented for operands CuPy does not know."""
    operands = inputs
    if "out" in kwargs:
        out = kwargs["out"]
        if len(out) != 1:
            raise ValueError("The 'out' parameter must have exactly one array value")
        operands = operands + out
        kwargs["out"] = out[0]
    name = ufunc.__name__
    cupy = sys.modules["cupy"]
    own = getattr(cupy, name, None)
    if own is None:
        return NotImplemented
    if method != "__call__":
        return getattr(own, method)(*inputs, **kwargs)
    for operand in operands:
        if (
            type(operand) not in SCALAR_TYPES
            and not isinstance(operand, np.ndarray)
            and not hasattr(operand, "__cuda_array_interface__")
        ):
            return NotImplemented
    if name in _COMPARISONS:
        inputs = tuple(x.item() if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs)
    return own(*inputs, **kwargs)


def array_function(func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """NEP 18 for device arrays: the cupy function in the same module and of the same name."""
    try:
        home = reduce(getattr, func.__module__.split(".")[1:], sys.modules["cupy"])
        own = getattr(home, func.__name__)
    except AttributeError:
        return NotImplemented
    if own is func:
        return NotImplemented
    if any(kind not in (ndarray, np.ndarray) for kind in types):
        return NotImplemented
    return own(*args, **kwargs)
