"""How many kernels a CuPy function launches, and how often it waits for the device.

A function that is not listed launches one kernel; a result that is a view of an argument, or
memory nobody has written, launches none. Sources: "recorded" = counted on CuPy 14.2.0's own front
end with CUB off; "source" = read off the routine of that name in CuPy 14.
"""

from __future__ import annotations

LAUNCHES: dict[str, int] = {
    # memory only; source: cudaMalloc and cudaMemsetAsync, no kernel
    "cupy.empty": 0,
    "cupy.empty_like": 0,
    "cupy.zeros": 0,
    "cupy.zeros_like": 0,
    # host-side questions
    "cupy.shape": 0,
    "cupy.ndim": 0,
    "cupy.size": 0,
    "cupy.result_type": 0,
    "cupy.can_cast": 0,
    "cupy.iscomplexobj": 0,
    "cupy.isrealobj": 0,
    "cupy.isscalar": 0,
    "cupy.broadcast_shapes": 0,
    "cupy.may_share_memory": 0,
    # statistics; source: _routines_statistics.pyx, `_mean` and `_nanmean` are one reduction,
    # `_var` is a mean and a reduction, `_std` adds a square root
    "cupy.var": 2,
    "cupy.std": 3,
    "cupy.nanvar": 3,
    "cupy.nanstd": 4,
    "cupy.median": 4,
    "cupy.percentile": 3,
    "cupy.quantile": 3,
    "cupy.ptp": 3,
    "cupy.average": 2,
    "cupy.cov": 5,
    "cupy.corrcoef": 8,
    # one scan of two kernels; recorded
    "cupy.cumsum": 2,
    "cupy.cumprod": 2,
    # compaction: scan and gather; recorded
    "cupy.nonzero": 3,
    "cupy.flatnonzero": 3,
    "cupy.argwhere": 3,
    "cupy.unique": 3,
    "cupy.histogram": 3,
    "cupy.bincount": 2,
    "cupy.allclose": 2,
    "cupy.array_equal": 2,
    # solvers and factorisations; source: LAPACK-like calls and their copies
    "cupy.linalg.norm": 3,
    "cupy.linalg.svd": 3,
    "cupy.linalg.eigh": 3,
    "cupy.linalg.eigvalsh": 3,
    "cupy.linalg.solve": 3,
    "cupy.linalg.inv": 3,
    "cupy.linalg.det": 3,
    "cupy.linalg.slogdet": 3,
    "cupy.linalg.qr": 3,
    "cupy.linalg.cholesky": 2,
    "cupy.linalg.pinv": 6,
    "cupy.linalg.lstsq": 6,
    "cupy.linalg.matrix_rank": 5,
}

SYNCS: dict[str, int] = {
    # the size of the result is only known on the device; source: _ndarray_argwhere reads the count
    "cupy.nonzero": 1,
    "cupy.flatnonzero": 1,
    "cupy.argwhere": 1,
    "cupy.unique": 1,
    # recorded: the range of the data is read back to check it
    "cupy.histogram": 2,
    # source: largest and smallest value are read to size the result
    "cupy.bincount": 2,
    "cupy.repeat": 0,
}

MASK_READ = 2
"""A boolean mask as an index: scan and gather (recorded), and one count read back."""


def launches(name: str) -> int:
    """Kernels that one call of the function with this qualified name launches."""
    return LAUNCHES.get(name, 3 if name.startswith("cupy.fft.") and "freq" not in name else 1)
