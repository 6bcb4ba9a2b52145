"""What objects are that NumPy gave."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gpuport.analysis.knowledge.claimed import forget_dtype
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
    join_all,
)

DEVICE_DTYPES = "?bBhHiIlLqQefdFD"
"""Characters of the dtypes that CuPy has arrays of."""


def read(answer: Any) -> Value:
    """What an object that NumPy gave is."""
    import numpy as np

    if isinstance(answer, (np.ndarray, np.generic)):
        name = _names().get(answer.dtype.char)
        if name is None or not answer.dtype.isnative:
            return UNKNOWN
        if isinstance(answer, np.generic):
            return Number(name)
        return Array(name, answer.ndim) if type(answer) is np.ndarray else UNKNOWN
    if answer is None:
        return Scalar("None")
    if isinstance(answer, (bool, int, float, complex, str)):
        return Scalar(type(answer).__name__)
    if isinstance(answer, tuple):
        return Tuple(tuple(map(read, answer)), names=getattr(type(answer), "_fields", ()))
    if isinstance(answer, list):
        return Sequence(join_all([read(item) for item in answer]))
    if isinstance(answer, dict) and all(isinstance(key, str) for key in answer):
        return Mapping(join_all([read(item) for item in answer.values()]))
    if isinstance(answer, (np.finfo, np.iinfo)):
        return Scalar(type(answer).__name__, answer.dtype.type)
    if isinstance(answer, np.dtype):
        return Scalar("object")
    return UNKNOWN


_LIMITS_OF = {"finfo": "float64", "iinfo": "int64"}


def limit_of_dtype(limits: Scalar, attribute: str) -> Value | None:
    """What an attribute of ``np.finfo(...)`` or ``np.iinfo(...)`` is; None for another object."""
    import numpy as np

    if limits.type not in _LIMITS_OF:
        return None
    found = getattr(np, limits.type)(limits.constant or _LIMITS_OF[limits.type])
    value = read(getattr(found, attribute, ...))
    return value if limits.constant is not None else forget_dtype(value)


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Names of the dtypes that CuPy has, by their characters."""
    import numpy as np

    return {char: np.dtype(char).name for char in DEVICE_DTYPES}


__all__ = ["DEVICE_DTYPES", "limit_of_dtype", "read"]
