"""`numpy.select` on the device: CuPy's takes arrays to choose from, and one number beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy

_WEAK = (int, float, complex)
"""Python's numbers, which take on the dtype of what stands beside them."""


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """``numpy.select``, on the device where any condition or choice is there.

    Parameters
    ----------
    condlist : list of cupy.ndarray or numpy.ndarray
        Of truth values.
    choicelist : list of cupy.ndarray, numpy.ndarray and numbers
        One for each condition: where several hold, that of the first counts.
    default : array or number
        What stands where no condition holds.

    Returns
    -------
    cupy.ndarray or numpy.ndarray

    Raises
    ------
    ValueError, TypeError
        As `numpy.select` raises them: for lists of other lengths, and conditions that hold
        anything but truth values.
    """
    cupy = loaded_cupy()
    conditions, choices = list(condlist), [*choicelist, default]
    if cupy is None or not any(isinstance(one, cupy.ndarray) for one in (*conditions, *choices)):
        return np.select(condlist, choicelist, default)
    if len(conditions) != len(choices) - 1 or not conditions:
        return np.select([True] * len(conditions), [0] * (len(choices) - 1))  # it raises
    choices = [one if type(one) in _WEAK else cupy.asarray(one) for one in choices]
    kinds = [one if type(one) in _WEAK else one.dtype for one in choices]
    conditions = list(cupy.broadcast_arrays(*map(cupy.asarray, conditions)))
    for place, one in enumerate(conditions):
        if one.dtype != np.bool_:
            raise TypeError(f"invalid entry {place} in condlist: should be boolean ndarray")
    shape = np.broadcast_shapes(*(np.shape(one) for one in choices))
    if shape:
        shape = np.broadcast_shapes(conditions[0].shape, shape)
    found = cupy.empty(shape or conditions[0].shape, np.result_type(*kinds))
    found[...] = choices.pop()
    for choice, condition in zip(reversed(choices), reversed(conditions), strict=True):
        cupy.copyto(found, choice, where=condition)
    return found


__all__ = ["select"]
