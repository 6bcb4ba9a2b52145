"""``cupy.linalg``: NumPy's solvers, silent about singular matrices as CuPy is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.launches import launches
from gpuport.host.memoryorder import in_a_block, in_c_order, in_fortran_order
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements
from gpuport.host.silence import quiet, restore
from gpuport.host.state import linalg_raises

implements("cupy.linalg.LinAlgError")(np.linalg.LinAlgError)


def _matrix(value: Any, square: bool, half: bool = False) -> Any:
    if not isinstance(value, ndarray):
        raise np.linalg.LinAlgError("cupy.linalg only supports cupy.ndarray")
    values = value._a
    if values.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{values.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if square and values.shape[-1] != values.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if values.dtype == np.float16 and not half:
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


def _solve(
    name: str, solver: Any, arrays: list[Any], failed: float, fortran: bool = False
) -> ndarray:
    """`solver` of matrices, in C order or (of one matrix, as cuSOLVER leaves it) in Fortran's."""
    arrange = in_fortran_order if fortran else in_c_order
    qualified = f"cupy.linalg.{name}"
    KERNELS[qualified] += launches(qualified)
    if linalg_raises():
        counters.sync()
    token = quiet()
    try:
        return wrap(arrange(solver(*arrays)))
    except np.linalg.LinAlgError as error:
        if linalg_raises():
            _report(error, solver, arrays)
        return wrap(arrange(_each(solver, arrays, failed)))
    finally:
        restore(token)


def _report(error: np.linalg.LinAlgError, solver: Any, arrays: list[Any]) -> None:
    """Raise what a solver raised, from where there is a report for each matrix, as in CuPy."""
    stack = np.broadcast_shapes(*(a.shape[:-2] for a in arrays))
    arrays = [np.broadcast_to(a, stack + a.shape[-2:]) for a in arrays]
    dev_info = np.zeros(int(np.prod(stack)), dtype=np.int32)
    for number, place in enumerate(np.ndindex(stack)):
        try:
            solver(*(a[place] for a in arrays))
        except np.linalg.LinAlgError:
            dev_info[number] = 1
    raise error


@implements("cupy.linalg.inv")
def inv(a: Any) -> ndarray:
    """Inverse; infinities where singular."""
    matrix = _matrix(a, True)
    fortran = matrix.flags.f_contiguous and not matrix.flags.c_contiguous
    return _solve("inv", np.linalg.inv, [matrix], np.inf, fortran)


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
        if b.shape[0] != matrix.shape[-1]:
            raise ValueError(
                "a must have (..., M, M) shape and b must have (M,) for one-dimensional b"
            )
        return _solve(
            "solve", lambda m, v: np.linalg.solve(m, v)[..., 0], [matrix, b._a[:, None]], np.inf
        )
    if b.ndim == 0:
        raise ValueError("b must have at least one dimension")
    if matrix.shape[:-1] != b.shape[:-1]:  # one right-hand side for a whole stack is not taken
        raise ValueError(
            "a must have (..., M, M) shape and b must have (..., M, K) for multidimensional b"
        )
    return _solve("solve", np.linalg.solve, [matrix, b._a], np.inf, fortran=True)


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
    if mode == "raw":
        return tuple(wrap(in_c_order(part)) for part in found)
    m, n = matrix.shape[-2:]  # the factors stay where geqrf and orgqr leave them
    if isinstance(found, np.ndarray):
        return wrap(in_a_block(found, m, n, True))
    orthogonal, triangular = found
    width = max(m, n) if mode == "complete" else n
    return wrap(in_a_block(orthogonal, m, width, True)), wrap(in_a_block(triangular, m, n, True))


def _symmetric(name: str, a: Any, triangle: str) -> tuple[Any, ...]:
    """Results of NumPy's solver; of half precision too, which CuPy computes in float32."""
    if triangle not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    matrix = _matrix(a, True, half=True)
    half = matrix.dtype == np.float16
    solver: Any = getattr(np.linalg, name)
    KERNELS[f"cupy.linalg.{name}"] += launches(f"cupy.linalg.{name}")
    with np.errstate(all="ignore"):
        found = solver(matrix.astype(np.float32) if half else matrix, triangle)
    parts = found if isinstance(found, tuple) else (found,)
    return tuple(part.astype(np.float16) if half else part for part in parts)


@implements("cupy.linalg.eigh")
def eigh(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues and eigenvectors of symmetric matrices."""
    values, vectors = _symmetric("eigh", a, UPLO)
    return wrap(values), wrap(in_a_block(vectors, 0, 0, True))


@implements("cupy.linalg.eigvalsh")
def eigvalsh(a: Any, UPLO: str = "L") -> ndarray:
    """Eigenvalues of symmetric matrices."""
    return wrap(_symmetric("eigvalsh", a, UPLO)[0])


@implements("cupy.linalg.matrix_rank")
def matrix_rank(M: Any, tol: Any = None) -> ndarray:
    """0-d (or stacked) device array of ranks."""
    KERNELS["cupy.linalg.matrix_rank"] += launches("cupy.linalg.matrix_rank")
    matrix = M._a if isinstance(M, ndarray) else np.asarray(M)
    if matrix.ndim > 1 and matrix.dtype == np.float16:
        raise TypeError("float16 is unsupported in linalg")
    if matrix.ndim > 1 and matrix.size == 0:
        raise ValueError("zero-size array to reduction operation cupy_max which has no identity")
    limit = tol._a if isinstance(tol, ndarray) else tol
    return wrap(np.asarray(np.linalg.matrix_rank(matrix, limit)))
