"""Histograms on the device as NumPy has them.

CuPy computes the edges of a number of bins on the device, where the last bit may be another one:
a value that lies on an edge is then counted in the bin beside. It also counts NaN
(``cupy/_statistics/histogram.py``, 14.2). Here NumPy computes the edges.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy

_COUNT = """
if (!(x >= edges[0] && x <= edges[bins])) {
  return;
}
int low = 0, high = bins;
while (high - low > 1) {
  const int middle = (low + high) / 2;
  if (edges[middle] <= x) {
    low = middle;
  } else {
    high = middle;
  }
}
atomicAdd(&counts[low], ADDED);
"""


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """``numpy.histogram``, of device arrays on the device.

    Parameters
    ----------
    a : cupy.ndarray or numpy.ndarray
        Of real numbers, of any shape.
    bins : int or array_like
        How many bins of one width, or the edges of all bins.
    range : tuple of two numbers, optional
        Where the bins begin and end; without it, at the extremes of `a`, which are read back.
    density : bool, optional
        Divide by the widths of the bins and by the sum.
    weights : cupy.ndarray, optional
        What each element counts, of the shape of `a` and of real numbers; summed up in float64,
        in any order.

    Returns
    -------
    tuple of cupy.ndarray
        What is in each bin (``int64``, or of the dtype of the weights), and the edges.

    Raises
    ------
    ValueError, TypeError
        As ``numpy.histogram`` raises them for bins and ranges.
    """
    cupy = loaded_cupy()
    if cupy is None or not isinstance(a, cupy.ndarray):
        return np.histogram(a, bins, range, density, weights)
    if isinstance(bins, str) or "c" in {one.dtype.kind for one in (a, weights) if one is not None}:
        return cupy.histogram(a, bins, range, bool(density), weights)  # CuPy says what it takes
    edges = _edges(cupy, a, bins, range)
    counts = _counts(cupy, a, edges, weights)
    if density:
        widths = cupy.diff(edges).astype(np.float64)
        counts = counts / widths / counts.sum()
    return counts, edges


def _edges(cupy: Any, a: Any, bins: Any, limits: Any) -> Any:
    """The edges of all bins, of NumPy's dtype, on the device."""
    if isinstance(bins, cupy.ndarray) and bins.ndim:
        if bool((bins[:-1] > bins[1:]).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return bins
    if limits is not None:
        limits = tuple(one.get() if isinstance(one, cupy.ndarray) else one for one in limits)
    known = np.zeros(0, a.dtype)
    if limits is None and np.ndim(bins) == 0 and a.size:
        known = cupy.stack([a.min(), a.max()]).get()
    if isinstance(bins, cupy.ndarray):
        bins = operator.index(bins.get())
    return cupy.asarray(np.histogram_bin_edges(known, bins, limits))


def _counts(cupy: Any, a: Any, edges: Any, weights: Any) -> Any:
    if a.dtype.kind == "b":
        a = a.astype(np.uint8)
    bins = edges.size - 1
    if weights is None:
        counts = cupy.zeros(bins, np.int64)
        _kernel(cupy, False)(a, edges, bins, counts)
        return counts
    if weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    sums = cupy.zeros(bins, np.float64)
    _kernel(cupy, True)(a, weights.astype(np.float64, copy=False), edges, bins, sums)
    return sums.astype(weights.dtype, copy=False)


@functools.cache
def _kernel(cupy: Any, weighted: bool) -> Any:
    given, added = ("X x, float64 w", "w") if weighted else ("X x", "1LL")
    kind = "float64" if weighted else "int64"
    return cupy.ElementwiseKernel(
        f"{given}, raw E edges, int32 bins", f"raw {kind} counts",
        _COUNT.replace("ADDED", added), "gpuport_histogram",
    )  # fmt: skip
