"""The algorithm that suits a stack of matrices of one size.

``u`` is the unit roundoff of the precision of the result, `p` a modest polynomial of the number of
rows and columns, ``s_1 >= ... >= s_k`` the singular values and ``s_1 / s_k`` the condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuport.runtime.batched.sizes import sizes

_SMALLEST = 1e-250
"""Squares of singular values below which a Gram matrix has lost digits to underflow."""


def algorithm(cupy: Any, name: str) -> Callable[..., Any]:
    """The function of a stack that does what ``numpy.linalg``'s does to each matrix in it."""
    own = _ALGORITHMS.get(name)
    if own is None:
        return getattr(cupy.linalg, name)  # type: ignore[no-any-return]
    return lambda *args, **options: own(cupy, *args, **options)


def svd(cupy: Any, stack: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Singular value decompositions.

    Parameters
    ----------
    cupy : module
    stack : cupy.ndarray, shape (n, rows, columns)
    full_matrices, compute_uv : bool
        As in ``numpy.linalg.svd``.

    Returns
    -------
    (u, s, vh) or s

    Notes
    -----
    Small matrices are one call of Jacobi's method. Of long ones (in either direction) the
    triangular factor R of A = QR is decomposed, and only the singular vectors on its side are
    multiplied with Q. Both steps are backward stable: what is found is the exact decomposition of
    A + E with ``|E| <= p u |A|``, so that each singular value is off by ``p u s_1`` at most, as
    with a direct decomposition (Golub and Van Loan, Matrix Computations, 4th ed., 5.2 and 8.6).
    Singular values alone: see :func:`singular_values`.
    """
    if not compute_uv:
        return singular_values(cupy, stack)
    rows, columns = stack.shape[-2:]
    if full_matrices or not _long(rows, columns):
        return cupy.linalg.svd(stack, full_matrices=full_matrices)
    if rows < columns:
        found = svd(cupy, _adjoint(stack), full_matrices=False)
        v, s, uh = found
        return _like(found, (_adjoint(uh), s, _adjoint(v)))
    q, r = cupy.linalg.qr(stack)
    found = cupy.linalg.svd(r, full_matrices=False)
    u, s, vh = found
    return _like(found, (cupy.matmul(q, u), s, vh))


def singular_values(cupy: Any, stack: Any) -> Any:
    """Singular values, the largest first.

    Parameters
    ----------
    cupy : module
    stack : cupy.ndarray, shape (n, rows, columns)

    Returns
    -------
    cupy.ndarray, shape (n, min(rows, columns))

    Notes
    -----
    Those of long matrices are the roots of the eigenvalues of the Gram matrix, which is
    accumulated in double precision. With ``u_64`` of double precision an eigenvalue is off by
    ``p u_64 s_1**2`` at most, a singular value by ``p u_64 s_1**2 / (2 s_k)``: that is
    ``p u_64 condition / 2`` of the largest one, and as much as ``p u_64 condition**2 / 2`` of the
    smallest one itself. Where the condition that is found is above the limit for the precision, or
    an element is not finite, the matrix is decomposed by :func:`svd`'s way, whose values are off
    by ``p u s_1``. The limits keep the first bound within the second one's usual constant.
    """
    rows, columns = stack.shape[-2:]
    if not _long(rows, columns) or stack.dtype.kind not in "fcbiu" or stack.dtype.char == "e":
        return cupy.linalg.svd(stack, compute_uv=False)
    values, trusted = _from_gram(cupy, stack if rows >= columns else _adjoint(stack))
    if not trusted.all():
        doubtful = cupy.flatnonzero(~trusted)
        values[doubtful] = _from_triangle(cupy, stack[doubtful])
    return values


def _from_gram(cupy: Any, tall: Any) -> tuple[Any, Any]:
    """Singular values of tall matrices, and which of them are as good as those of an SVD."""
    single = tall.dtype.char in "fF"
    limit = sizes().gram_single if single else sizes().gram_double
    wide = tall.astype("D" if tall.dtype.kind == "c" else "d", copy=False)
    gram = cupy.matmul(_adjoint(wide), wide)
    trusted = cupy.isfinite(gram).all(axis=(1, 2))
    gram = cupy.where(trusted[:, None, None], gram, cupy.eye(gram.shape[-1], dtype=gram.dtype))
    squares = eigvalsh(cupy, gram)
    smallest, largest = squares[:, 0], squares[:, -1]
    trusted &= (smallest * limit**2 >= largest) & (smallest > _SMALLEST)
    values = cupy.sqrt(cupy.maximum(squares, 0))[:, ::-1]
    return values.astype("f" if single else "d"), trusted


def _from_triangle(cupy: Any, stack: Any) -> Any:
    tall = stack if stack.shape[-2] >= stack.shape[-1] else _adjoint(stack)
    return cupy.linalg.svd(cupy.linalg.qr(tall, mode="r"), compute_uv=False)


def inv(cupy: Any, stack: Any) -> Any:
    """Inverses: of small matrices in one call, of large ones by a call for each.

    Notes
    -----
    Gaussian elimination with partial pivoting in both cases: ``|A X - I| <= p g u |A| |X|``, `g`
    the growth of the pivots (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 14).
    """
    if stack.shape[-1] <= sizes().lu_batched:
        return cupy.linalg.inv(stack)
    return _one_by_one(cupy, cupy.linalg.inv, stack)


def eigh(cupy: Any, stack: Any, UPLO: str = "L") -> Any:
    """Eigenvalues and eigenvectors of Hermitian matrices.

    Notes
    -----
    Small ones by Jacobi's method in one call, large ones by divide and conquer, a call for each:
    eigenvalues are off by ``p u |A|`` at most in both cases.
    """
    if stack.shape[-1] <= sizes().eigh_batched:
        return cupy.linalg.eigh(stack, UPLO)
    return _one_by_one(cupy, lambda a: cupy.linalg.eigh(a, UPLO), stack)


def eigvalsh(cupy: Any, stack: Any, UPLO: str = "L") -> Any:
    """Eigenvalues of Hermitian matrices, in ascending order; see :func:`eigh`."""
    if stack.shape[-1] <= sizes().eigh_batched:
        return cupy.linalg.eigvalsh(stack, UPLO)
    return _one_by_one(cupy, lambda a: cupy.linalg.eigvalsh(a, UPLO), stack)


def _one_by_one(cupy: Any, function: Callable[[Any], Any], stack: Any) -> Any:
    found = [function(matrix) for matrix in stack]
    if not isinstance(found[0], tuple):
        return cupy.stack(found)
    return _like(found[0], tuple(cupy.stack(part) for part in zip(*found, strict=True)))


def _long(rows: int, columns: int) -> bool:
    """Whether a triangular factor has much fewer rows than the matrix, or columns."""
    short, long = sorted((rows, columns))
    return bool(short and long > sizes().svd_jacobi and long >= sizes().svd_qr_first * short)


def _adjoint(stack: Any) -> Any:
    turned = stack.swapaxes(-1, -2)
    return turned.conj() if stack.dtype.kind == "c" else turned


def _like(results: Any, values: tuple[Any, ...]) -> Any:
    """Results in a tuple of the kind that the library gives."""
    make = getattr(type(results), "_make", tuple)
    return make(values)


_ALGORITHMS: dict[str, Callable[..., Any]] = {
    "svd": svd,
    "inv": inv,
    "eigh": eigh,
    "eigvalsh": eigvalsh,
}
