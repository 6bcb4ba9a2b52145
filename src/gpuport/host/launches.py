"""How many kernels a CuPy function launches, and how often it waits for the device.

A function that is not listed launches one kernel; a result that is a view of an argument, or
memory nobody has written, launches none. The numbers were counted on CuPy 14.2.0's own front end,
with CUB off and a driver that counts launches instead of making them, for small contiguous
float64 arrays; a call of a library that computes (cuBLAS, cuFFT, cuSOLVER, Thrust) counts one more.
Other types, layouts and sizes can take a kernel more or less. What is not counted that way names
its source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Given = dict[str, Any]
Count = int | Callable[[Given], int]


def _gradient(given: Given) -> int:
    """Six or seven for an axis; two more where there are several."""
    axis, ndim = given["axis"], getattr(given["f"], "ndim", 1)
    axes = ndim if axis is None else len(axis) if isinstance(axis, (tuple, list)) else 1
    return 7 * axes + (2 if axes > 1 else -1 if ndim == 1 else 0)


def _average(given: Given) -> int:
    return 1 if given["weights"] is None else 6


def _unique(given: Given) -> int:
    """A sort, a mask and its compaction; each further result is sorted or summed for."""
    more = {"return_index": 3, "return_inverse": 5, "return_counts": 2}
    return 6 + sum(cost for name, cost in more.items() if given.get(name))


_UNIQUE_ALL = {"return_index": True, "return_inverse": True, "return_counts": True}


def _histogram_reads(given: Given) -> int:
    """Edges that are given have to rise; without them and a range both ends are read."""
    if hasattr(given["bins"], "_a"):
        return 1
    return 2 if given["range"] is None and given["x"].size else 0


def _axes_of_sample(given: Given) -> int:
    """Axes of a histogram of several: columns of an array, or arrays in a list."""
    sample = given["sample"]
    if isinstance(sample, (list, tuple)):
        return len(sample)
    shape: tuple[int, ...] = getattr(sample, "shape", ())
    return int(shape[1]) if len(shape) > 1 else 1


def _edges_of_axes(given: Given) -> int:
    """Of each axis the ends and the edges; source: profiler, CuPy 14.2.0 on an H200."""
    counted = isinstance(given["bins"], int) and given["range"] is None
    return (2 + 6 * _axes_of_sample(given)) if counted else _axes_of_sample(given)


def _unique_reads(given: Given) -> int:
    """The mask is counted for the values, and again for each result that is taken by it."""
    return 1 + sum(bool(given.get(name)) for name in ("return_index", "return_counts"))


def _pad(given: Given) -> int:
    return 2 if given["mode"] == "constant" else 7 if given["array"].ndim > 1 else 3


def _trapezoid(given: Given) -> int:
    return 4 if given["x"] is None else 5


def _norm(given: Given) -> int:
    """A kernel; the matrix norms by singular values factorise first."""
    order = given["ord"]
    if order is None or not isinstance(order, (int, float, str)) or order == "fro":
        return 1
    several = (given["axis"] is None and given["x"].ndim > 1) or isinstance(given["axis"], tuple)
    return 5 if several and order in (2, -2, "nuc") else 2


def _take_along_axis(given: Given) -> int:
    return 1 if getattr(given["a"], "ndim", 1) < 2 else 5


# what these ask of an array is its shape and dtype: one of the host is not moved
FORM_ALONE = frozenset(
    {f"cupy.{name}_like" for name in ("empty", "zeros", "ones", "full")}
    | {f"cupy.{name}" for name in ("shape", "ndim", "size", "iscomplexobj", "isrealobj")}
)

LAUNCHES: dict[str, Count] = {
    # memory only; source: cudaMalloc and cudaMemsetAsync, no kernel
    "cupy.empty": 0,
    "cupy.empty_like": 0,
    "cupy.zeros": 0,
    "cupy.zeros_like": 0,
    # questions that are answered on the host
    "cupy.shape": 0,
    "cupy.ndim": 0,
    "cupy.size": 0,
    "cupy.result_type": 0,
    "cupy.can_cast": 0,
    "cupy.iscomplexobj": 0,
    "cupy.isrealobj": 0,
    "cupy.isscalar": 0,
    "cupy.isfortran": 0,
    "cupy.broadcast_shapes": 0,
    "cupy.may_share_memory": 0,
    # statistics: a reduction each for mean and deviations, and what lies between them
    "cupy.var": 3,
    "cupy.std": 4,
    "cupy.nanvar": 3,
    "cupy.nanstd": 4,
    "cupy.median": 4,
    "cupy.nanmedian": 6,
    "cupy.percentile": 5,
    "cupy.quantile": 5,
    "cupy.ptp": 3,
    "cupy.average": _average,
    "cupy.cov": 7,  # without the product, which is the library's
    "cupy.corrcoef": 13,
    "cupy.nanmax": 3,
    "cupy.nanmin": 3,
    # scans: two kernels, of long arrays two more
    "cupy.cumsum": 2,
    "cupy.cumprod": 2,
    "cupy.cumulative_sum": 2,
    "cupy.cumulative_prod": 2,
    "cupy.nancumsum": 3,
    "cupy.nancumprod": 3,
    # compaction: scan and gather
    "cupy.nonzero": 3,
    "cupy.flatnonzero": 3,
    "cupy.argwhere": 3,
    "cupy.unique": _unique,
    "cupy.unique_all": _unique(_UNIQUE_ALL),
    "cupy.unique_counts": _unique({"return_counts": True}),
    "cupy.unique_inverse": _unique({"return_inverse": True}),
    "cupy.unique_values": _unique({}),
    "cupy.histogram": 4,
    "cupy.histogramdd": lambda given: 27 * _axes_of_sample(given),
    "cupy.allclose": 2,
    "cupy.array_equal": 2,
    "cupy.array_equiv": 2,
    # source of these: profiler, CuPy 14.2.0 on an H200
    "cupy.delete": 5,
    "cupy.compress": 4,
    "cupy.extract": 4,
    "cupy.place": 4,
    "cupy.putmask": 5,
    "cupy.choose": 5,
    "cupy.trapz": _trapezoid,
    "cupy.linalg.cross": 9,
    "cupy.tril_indices_from": 9,
    "cupy.triu_indices_from": 10,
    "cupy.diag_indices_from": 4,
    "cupy.polynomial.polynomial.polyval": 8,
    "cupy.iterable": 0,
    "cupy.asarray_chkfinite": 2,
    "cupy.union1d": 8,
    "cupy.intersect1d": 11,
    "cupy.setdiff1d": 11,
    "cupy.setxor1d": 11,
    # composites of elementwise kernels
    "cupy.gradient": _gradient,
    "cupy.trapezoid": _trapezoid,
    "cupy.unwrap": 16,
    "cupy.roll": 2,
    "cupy.pad": _pad,
    "cupy.nan_to_num": 3,
    "cupy.isposinf": 4,
    "cupy.isneginf": 3,
    "cupy.tril": 2,
    "cupy.triu": 2,
    "cupy.vander": 2,
    "cupy.append": 2,
    "cupy.column_stack": 2,
    "cupy.dstack": 2,
    "cupy.take_along_axis": _take_along_axis,
    "cupy.cross": 9,
    "cupy.convolve": 3,
    "cupy.correlate": 4,
    "cupy.logspace": 3,
    "cupy.indices": 4,
    "cupy.tril_indices": 8,
    "cupy.triu_indices": 8,
    "cupy.unravel_index": 8,
    "cupy.ravel_multi_index": 6,
    "cupy.polyfit": 29,
    "cupy.fft.fftfreq": 5,
    "cupy.fft.rfftfreq": 2,
    "cupy.fft.fftshift": 2,
    "cupy.fft.ifftshift": 2,
    # transforms: the library's kernel, a cast to complex numbers before it, a scaling behind it
    "cupy.fft.fft": 2,
    "cupy.fft.ifft": 3,
    "cupy.fft.rfft": 1,
    "cupy.fft.irfft": 3,
    "cupy.fft.fft2": 2,
    "cupy.fft.ifft2": 3,
    "cupy.fft.fftn": 2,
    "cupy.fft.ifftn": 3,
    "cupy.fft.rfft2": 1,
    "cupy.fft.rfftn": 1,
    # solvers and factorisations: copies, and the library's kernel; det and slogdet are counted as
    # the factorisation that they are, where CuPy 14 launches some 18 small kernels about it: a
    # limit is of what a port can change, and no port changes these
    "cupy.linalg.norm": _norm,
    "cupy.linalg.svd": 3,
    "cupy.linalg.eigh": 2,
    "cupy.linalg.eigvalsh": 3,
    "cupy.linalg.eig": 4,
    "cupy.linalg.eigvals": 3,
    "cupy.linalg.solve": 3,
    "cupy.linalg.inv": 3,
    "cupy.linalg.det": 3,
    "cupy.linalg.slogdet": 3,
    "cupy.linalg.qr": 3,
    "cupy.linalg.cholesky": 2,
    "cupy.linalg.pinv": 8,
    "cupy.linalg.lstsq": 11,
    "cupy.linalg.matrix_rank": 7,
    "cupy.linalg.cond": 5,
}


def _weighted(given: Given) -> int:
    """The sum of the weights is looked at: it must not be zero."""
    return 0 if given["weights"] is None else 1


def _device_quantiles(given: Given) -> int:
    """Both ends of the range of `q` are checked, where these are on the device."""
    return 2 if hasattr(given["q"], "_a") else 0


def _complex_data(given: Given) -> int:
    return 1 if getattr(given["a"], "dtype", None) in ("F", "D") else 0


def _checked_finite(given: Given) -> int:
    return 1 if given["check_finite"] else 0


SYNCS: dict[str, Count] = {
    # the size of the result is only known on the device; source: _ndarray_argwhere reads the count
    "cupy.nonzero": 1,
    "cupy.flatnonzero": 1,
    "cupy.argwhere": 1,
    # source: _manipulation/add_remove.py
    "cupy.unique": _unique_reads,
    "cupy.unique_all": _unique_reads(_UNIQUE_ALL),
    "cupy.unique_counts": _unique_reads({"return_counts": True}),
    "cupy.unique_inverse": _unique_reads({"return_inverse": True}),
    "cupy.unique_values": _unique_reads({}),
    "cupy.compress": 1,
    "cupy.extract": 1,
    "cupy.place": 1,
    "cupy.delete": 1,
    "cupy.tril_indices": 2,
    "cupy.triu_indices": 2,
    # source of these: profiler, CuPy 14.2.0 on an H200
    "cupy.tril_indices_from": 2,
    "cupy.triu_indices_from": 2,
    "cupy.diag_indices_from": 1,
    "cupy.choose": 2,
    "cupy.putmask": 2,
    "cupy.histogramdd": _edges_of_axes,
    "cupy.shares_memory": 1,
    "cupy.asarray_chkfinite": 1,
    "cupy.polynomial.polynomial.polycompanion": 1,
    # of each argument and of what is left; source: _logic/truth.py and _manipulation/add_remove.py
    "cupy.union1d": 1,
    "cupy.intersect1d": 3,
    "cupy.setdiff1d": 3,
    "cupy.setxor1d": 3,
    # the range of the data, or the order of the edges; source: _statistics/histogram.py
    "cupy.histogram": _histogram_reads,
    # source: largest and smallest value are read to size the result
    "cupy.bincount": 2,
    "cupy.nanmax": 1,
    "cupy.nanmin": 1,
    "cupy.unravel_index": 2,
    "cupy.argpartition": 2,
    "cupy.average": _weighted,
    "cupy.percentile": _device_quantiles,
    "cupy.quantile": _device_quantiles,
    "cupy.real_if_close": _complex_data,
    "cupy.polyfit": 3,
    "cupy.roots": 3,
    "cupy.linalg.lstsq": 1,
    "cupy.linalg.pinv": 1,
    "cupy.linalg.cond": 1,
    "cupyx.scipy.linalg.expm": 2,
    "cupyx.scipy.linalg.lu_factor": _checked_finite,
    # parameters are checked on the device; source: random/_generator.py, _distributions.py
    "cupy.random.randint": 1,
    "cupy.random.exponential": 1,
    "cupy.random.power": 1,
    "cupy.random.rayleigh": 1,
    "cupy.random.weibull": 1,
    "cupy.random.zipf": 1,
    "cupy.random.logseries": 2,
    "cupy.random.negative_binomial": 3,
    "cupy.random.noncentral_chisquare": 2,
    "cupy.random.triangular": 3,
}
"""Times a function reads something back by itself. Counted, or read in the source that is named."""

MASK_READ = 2
"""A boolean mask as an index: scan and gather, and one count read back."""


def counted(name: str) -> Count:
    """Kernels that a call of the function with this qualified name launches."""
    return LAUNCHES.get(name, 3 if name.startswith("cupy.fft.") else 1)


def launches(name: str) -> int:
    """Kernels that every call of the function with this qualified name launches.

    Raises
    ------
    TypeError
        Where that depends on the arguments.
    """
    found = counted(name)
    if not isinstance(found, int):
        raise TypeError(f"the launches of {name} depend on its arguments")
    return found


def waits(name: str, given: Given | None = None) -> int:
    """Times that a call of the function with this qualified name waits for the device."""
    found = SYNCS.get(name, 0)
    return found if isinstance(found, int) else found(given or {})
