"""The largest singular values of a matrix that has many, by a random sample of its range."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


def svd_lowrank(
    matrix: Any, k: int, *, oversampling: int = 10, iterations: int = 4, seed: int = 0
) -> tuple[Any, Any, Any]:
    """The `k` largest singular values of a dense matrix with their vectors, approximately.

    Parameters
    ----------
    matrix : array, shape (rows, columns)
        NumPy's or CuPy's: it is computed where it is.
    k : int
        At least 1, at most ``min(rows, columns)``.
    oversampling : int
        Directions that are sampled beyond `k`: `p` below, at least 2.
    iterations : int
        Multiplications with ``A A^H``, each followed by an orthogonalisation: `q` below.
    seed : int
        Of the sample: the same one gives the same result.

    Returns
    -------
    (u, s, vh)
        Of shapes (rows, k), (k,) and (k, columns), the largest value first (unlike
        ``scipy.sparse.linalg.svds``, which promises no order); vectors up to their sign.

    Raises
    ------
    ValueError
        Where `k` is no such number, or the matrix is no matrix.

    Notes
    -----
    Halko, Martinsson and Tropp, SIAM Review 53 (2011) 217, algorithms 4.4 and 5.1. With ``s_j`` the
    singular values of A and Q the sampled directions, the expected error is at most
    ``(1 + sqrt(k / (p - 1)) + e sqrt(k + p) / p sqrt(min(rows, columns) - k)) ** (1 / (2 q + 1))``
    times ``s_(k+1)`` (corollary 10.10), and no value that is found is off by more than
    ``|A - Q Q^H A|``, nor larger than the true one, up to rounding. Exact up to rounding where the
    rank is at most ``k + p``. Where ``k + p`` is as many as the matrix has, it is decomposed whole.
    `svds` iterates to machine precision instead.
    """
    if getattr(matrix, "ndim", 0) != 2:
        raise ValueError("svd_lowrank: takes one matrix")
    most = min(matrix.shape)
    if not 1 <= k <= most:
        raise ValueError(f"svd_lowrank: k is from 1 to {most}, not {k}")
    if oversampling < 2:
        raise ValueError(f"svd_lowrank: oversampling is at least 2, not {oversampling}")
    xp, a = _module_of(matrix), _floating(matrix)
    if k + oversampling >= most:  # nothing is saved, and a square sample may be ill-conditioned
        u, s, vh = xp.linalg.svd(a, full_matrices=False)
        return u[:, :k], s[:k], vh[:k]
    basis = _sampled_range(xp, a, k + oversampling, iterations, seed)
    u, s, vh = xp.linalg.svd(xp.matmul(basis.conj().T, a), full_matrices=False)
    return xp.matmul(basis, u[:, :k]), s[:k], vh[:k]


def _module_of(matrix: Any) -> Any:
    cupy = loaded_cupy()
    return cupy if cupy is not None and isinstance(matrix, cupy.ndarray) else np


def _floating(matrix: Any) -> Any:
    return matrix if matrix.dtype.kind in "fc" else matrix.astype("d")


def _sampled_range(xp: Any, a: Any, width: int, iterations: int, seed: int) -> Any:
    """Orthonormal columns that nearly span the range of a matrix: algorithm 4.4."""
    sample = np.random.default_rng(seed).standard_normal((a.shape[1], width))
    basis, _ = xp.linalg.qr(xp.matmul(a, xp.asarray(sample.astype(a.real.dtype))))
    adjoint = a.conj().T
    for _ in range(iterations):
        basis, _ = xp.linalg.qr(xp.matmul(adjoint, basis))
        basis, _ = xp.linalg.qr(xp.matmul(a, basis))
    return basis


def svds(matrix: Any, k: int = 6) -> tuple[Any, Any, Any]:
    """``scipy.sparse.linalg.svds`` of a dense matrix: the `k` largest singular values.

    Parameters
    ----------
    matrix : array, shape (rows, columns)
        NumPy's or CuPy's: it is computed where it is.
    k : int
        Less than rows and columns.

    Returns
    -------
    (u, s, vh)
        Of shapes (rows, k), (k,) and (k, columns), the largest value last, as `svds` gives them;
        vectors up to their signs.

    Raises
    ------
    ValueError
        Where `k` is no such number, as `svds` does.

    Notes
    -----
    What :func:`svd_lowrank` finds is kept where the residuals ``|A v - s u|`` and ``|A^H u - s v|``
    of all `k` triplets are at most ``16 u sqrt(rows + columns) s_1``, `u` the unit roundoff: then
    each value is off by no more than that from a singular value of the matrix. Where one is not,
    the singular values falling slowly, the whole matrix is decomposed.
    """
    rows, columns = matrix.shape
    if not 0 < k < min(rows, columns):
        raise ValueError("k must be an integer satisfying `0 < k < min(A.shape)`.")
    xp, a = _module_of(matrix), _floating(matrix)
    if 4 * (k + _OVERSAMPLING) < min(rows, columns):
        found = svd_lowrank(a, k, oversampling=_OVERSAMPLING, iterations=6)
        if _holds(xp, a, *found):
            u, s, vh = found
            return u[:, ::-1], s[::-1], vh[::-1]
    u, s, vh = xp.linalg.svd(a, full_matrices=False)
    return u[:, k - 1 :: -1], s[k - 1 :: -1], vh[k - 1 :: -1]


_OVERSAMPLING = 10


def _holds(xp: Any, a: Any, u: Any, s: Any, vh: Any) -> bool:
    """Whether triplets are singular ones, to rounding."""
    v = vh.conj().T
    left = xp.linalg.norm(xp.matmul(a, v) - u * s, axis=0)
    right = xp.linalg.norm(xp.matmul(a.conj().T, u) - v * s, axis=0)
    limit = 16 * np.finfo(s.dtype).eps * np.sqrt(sum(a.shape)) * s[0]
    return bool((xp.maximum(left, right) <= limit).all())
