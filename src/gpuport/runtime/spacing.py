"""Numbers in even steps for which CuPy has no function: NumPy makes them, and they go along."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """``numpy.geomspace`` on the device: the same numbers to the last bit.

    Parameters
    ----------
    start, stop : number or array
        Those on the device are brought to the host first.
    num : int
    endpoint : bool
    dtype : dtype, optional
    axis : int

    Returns
    -------
    cupy.ndarray
    """
    cp: Any = importlib.import_module("cupy")  # without a device it says so itself
    first, last = (cp.asnumpy(one) if isinstance(one, cp.ndarray) else one for one in (start, stop))
    return cp.asarray(np.geomspace(first, last, num, endpoint, dtype, axis))


__all__ = ["geomspace"]
