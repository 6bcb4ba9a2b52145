"""Histograms: what CuPy refuses of them; NumPy counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.launches import launches, waits
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.registry import implements


@implements("cupy.histogram")
def histogram(
    x: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = False
) -> Any:
    """Counts and edges of one axis."""
    if x.dtype.kind == "c":
        raise NotImplementedError("complex number is not supported")
    if not isinstance(x, ndarray):
        raise ValueError("x must be a cupy.ndarray")
    if isinstance(bins, str):
        raise NotImplementedError("only integer and array bins are implemented")
    KERNELS["cupy.histogram"] += launches("cupy.histogram")
    counters.sync(waits("cupy.histogram", {"x": x, "bins": bins, "range": range}))
    edges = bins._a if isinstance(bins, ndarray) else bins
    heavy = weights._a if isinstance(weights, ndarray) else weights
    with np.errstate(all="ignore"):
        counted, found = np.histogram(x._a, edges, range, bool(density), heavy)
    return wrap(counted), bins if isinstance(bins, ndarray) else wrap(found)


@implements("cupy.histogram2d")
def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: Any = None,
) -> Any:
    """Counts and edges of two axes."""
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):
        if not isinstance(bins, ndarray):
            raise ValueError("array-like bins not supported in CuPy")
        bins = [bins, bins]
    counted, edges = FUNCTIONS["histogramdd"]([x, y], bins, range, weights, density)
    return counted, edges[0], edges[1]
