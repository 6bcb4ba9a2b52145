"""Least squares and matrix exponentials of stacks, which CuPy has for single matrices only."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.batched.algorithms import svd
from gpuport.runtime.fallback import loaded_cupy


def least_squares(matrices: Any, right: Any, rcond: float | None = None) -> tuple[Any, ...]:
    """``numpy.linalg.lstsq`` of each matrix of a stack, but for the residuals.

    Parameters
    ----------
    matrices : cupy.ndarray, shape (n, rows, columns) or (1, rows, columns)
        A single matrix stands for each right side.
    right : cupy.ndarray, shape (n, rows), (n, rows, k) or (rows,)
    rcond : float, optional
        As NumPy takes it: singular values up to this part of the largest one are none.

    Returns
    -------
    (x, None, rank, s)
        The least of all solutions for each matrix, shape (n, columns) or (n, columns, k), ranks
        and singular values. How many residuals there are depends on the rank: there are none here.

    Notes
    -----
    By the singular value decomposition: what is found solves a problem whose matrix is off by
    ``p u |A|`` at most. The normal equations, with the square of the condition, take no part.
    """
    cupy = loaded_cupy()
    rows, columns = matrices.shape[-2:]
    vectors = right.ndim < 3
    sides = (right[None] if right.ndim == 1 else right)[..., None] if vectors else right
    u, s, vh = svd(cupy, matrices, full_matrices=False)
    epsilon = np.finfo(s.dtype).eps
    given = max(rows, columns) * epsilon if rcond is None else rcond
    limit = given if given >= 0 else epsilon
    none = s <= limit * s[:, :1]  # not so where there are NaN, which are in the solution too
    inverse = cupy.where(none, 0, 1 / cupy.where(none, 1, s))[..., None]
    projected = cupy.matmul(u.conj().swapaxes(-1, -2), sides)
    x = cupy.matmul(vh.conj().swapaxes(-1, -2), inverse * projected)
    ranks = (~none).sum(axis=-1, dtype=np.int32)  # as NumPy's LAPACK routine gives them
    s, rank = (cupy.broadcast_to(one, (len(x), *one.shape[1:])) for one in (s, ranks))
    return (x[..., 0] if vectors else x), None, rank, s


_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0,
    960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
"""Coefficients of the [13/13] Pade approximant of the exponential."""

_WITHIN = 5.371920351148152
"""The 1-norm up to which its backward error is below double precision's roundoff."""


def exponentials(matrices: Any) -> Any:
    """``scipy.linalg.expm`` of each matrix of a stack.

    Parameters
    ----------
    matrices : cupy.ndarray, shape (n, k, k)

    Returns
    -------
    cupy.ndarray, shape (n, k, k)

    Notes
    -----
    Scaling and squaring with a Pade approximant of degree 13, the trace taken out before, each
    matrix with a scale of its own (Higham, SIAM J. Matrix Anal. Appl. 26 (2005) 1179, algorithm
    2.3 without balancing, as CuPy has it for one matrix). The approximant is the exponential of a
    matrix that is off by ``u |A|`` at most; the `s` squarings add up to ``p s u |exp(A)|`` for
    normal matrices, and more for those that are far from normal.
    """
    cupy = loaded_cupy()
    a = matrices if matrices.dtype.kind in "fc" else matrices.astype("d")
    size = a.shape[-1]
    if not a.size:
        return cupy.zeros(a.shape, a.dtype)
    identity = cupy.eye(size, dtype=a.dtype)
    shift = cupy.trace(a, axis1=-2, axis2=-1)[:, None, None] / size
    a = a - shift * identity
    norms = abs(a).sum(axis=-2).max(axis=-1)
    finite = cupy.isfinite(norms)
    ratio = cupy.maximum(cupy.where(finite, norms, 0) / _WITHIN, 1)
    squarings = cupy.ceil(cupy.log2(ratio)).astype("l")
    a = a / cupy.exp2(squarings)[:, None, None].astype(norms.dtype)
    found = _approximant(cupy, a, identity)
    for done in range(int(squarings.max())):
        again = (squarings > done)[:, None, None]
        found = cupy.where(again, cupy.matmul(found, found), found)
    return found * cupy.exp(shift)


def _approximant(cupy: Any, a: Any, identity: Any) -> Any:
    """The [13/13] approximant of each matrix, whose 1-norm is small."""
    c = _PADE
    a2 = cupy.matmul(a, a)
    a4 = cupy.matmul(a2, a2)
    a6 = cupy.matmul(a2, a4)
    odd = cupy.matmul(a6, c[13] * a6 + c[11] * a4 + c[9] * a2)
    odd = cupy.matmul(a, odd + c[7] * a6 + c[5] * a4 + c[3] * a2 + c[1] * identity)
    even = cupy.matmul(a6, c[12] * a6 + c[10] * a4 + c[8] * a2)
    even = even + c[6] * a6 + c[4] * a4 + c[2] * a2 + c[0] * identity
    return cupy.linalg.solve(even - odd, even + odd)
