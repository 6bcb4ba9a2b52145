"""``cupy.linalg``: NumPy's solvers, silent about singular matrices as CuPy is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.launches import launches
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements
from gpuport.host.state import linalg_raises

implements("cupy.linalg.LinAlgError")(np.linalg.LinAlgError)


def _matrix(value: Any, square: bool) -> Any:
    if not isinstance(value, ndarray):
        raise np.linalg.LinAlgError("cupy.linalg only supports cupy.ndarray")
    values = value._a
    if values.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{values.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if square and values.shape[-1] != values.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if values.dtype == np.float16:
        raise TypeError("float16 is unsupported in linalg")
    return values


def _each(solver: Any, arrays: list[Any], failed: float) -> Any:
    """`solver` over stacked matrices one by one; those it refuses are filled with `failed`."""
    stack = np.broadcast_shapes(*(a.shape[:-2] for a in arrays))
    arrays = [np.broadcast_to(a, stack + a.shape[-2:]) for a in arrays]
    rows = []
    for place in np.ndindex(stack):
        items = [a[place] for a in arrays]
        try:
            rows.append(solver(*items))
        except np.linalg.LinAlgError:
            like = solver(np.eye(items[0].shape[-1], dtype=items[0].dtype), *items[1:])
            rows.append(np.full_like(like, failed))
    return np.array(rows).reshape(stack + rows[0].shape)


def _solve(name: str, solver: Any, arrays: list[Any], failed: float) -> ndarray:
    qualified = f"cupy.linalg.{name}"
    KERNELS[qualified] += launches(qualified)
    if linalg_raises():
        counters.sync()
    with np.errstate(all="ignore"):
        try:
            return wrap(solver(*arrays))
        except np.linalg.LinAlgError:
            if linalg_raises():
                raise
            return wrap(_each(solver, arrays, failed))


@implements("cupy.linalg.inv")
def inv(a: Any) -> ndarray:
    """Inverse; infinities where singular."""
    return _solve("inv", np.linalg.inv, [_matrix(a, True)], np.inf)


@implements("cupy.linalg.cholesky")
def cholesky(a: Any) -> ndarray:
    """Lower factor; NaN where not positive definite."""
    return _solve("cholesky", np.linalg.cholesky, [_matrix(a, True)], np.nan)


@implements("cupy.linalg.solve")
def solve(a: Any, b: Any) -> ndarray:
    """Solution of linear systems; infinities where singular."""
    matrix = _matrix(a, True)
    if not isinstance(b, ndarray):
        raise np.linalg.LinAlgError("cupy.linalg only supports cupy.ndarray")
    if b.ndim == 1:
        return _solve(
            "solve", lambda m, v: np.linalg.solve(m, v)[..., 0], [matrix, b._a[:, None]], np.inf
        )
    return _solve("solve", np.linalg.solve, [matrix, b._a], np.inf)


@implements("cupy.linalg.qr")
def qr(a: Any, mode: str = "reduced") -> Any:
    """Orthogonal and triangular factor, or what `mode` asks for."""
    if mode not in ("reduced", "complete", "r", "raw"):
        old = mode in ("f", "full", "e", "economic")
        raise ValueError(
            f"The deprecated mode '{mode}' is not supported"
            if old
            else f"Unrecognized mode '{mode}'"
        )
    matrix = _matrix(a, False)
    KERNELS["cupy.linalg.qr"] += launches("cupy.linalg.qr")
    factored: Any = np.linalg.qr
    with np.errstate(all="ignore"):
        found = factored(matrix, mode)
    if isinstance(found, np.ndarray):
        return wrap(found)
    parts = [wrap(part) for part in found]
    return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)


@implements("cupy.linalg.matrix_rank")
def matrix_rank(M: Any, tol: Any = None) -> ndarray:
    """0-d (or stacked) device array of ranks."""
    KERNELS["cupy.linalg.matrix_rank"] += launches("cupy.linalg.matrix_rank")
    matrix = M._a if isinstance(M, ndarray) else np.asarray(M)
    limit = tol._a if isinstance(tol, ndarray) else tol
    return wrap(np.asarray(np.linalg.matrix_rank(matrix, limit)))
