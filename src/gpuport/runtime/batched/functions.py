"""NumPy's functions of a matrix, of every matrix of a list."""

from __future__ import annotations

from typing import Any

from gpuport.runtime.batched.each import Where, each

_MATRIX = ((2,),)


def inv(matrices: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.inv`` of each matrix, in order.

    Parameters
    ----------
    matrices : list of array, or array with three axes
    device : None or "auto"
        Where it is computed: by default where the matrices are. ``"auto"`` computes NumPy's
        matrices on the device where there is one, in parts that cross while others are computed;
        else on the host, from ten seconds of work on in a process for each core. The results
        are NumPy's in every case, equal up to rounding.

    Returns
    -------
    list of array

    Raises
    ------
    numpy.linalg.LinAlgError
        Where a matrix is singular; a note names the first. With ``"auto"``, always NumPy's own.
    """
    return each("inv", _MATRIX, (matrices,), {}, device)


def pinv(matrices: Any, rcond: float = 1e-15, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.pinv`` of each matrix, in order; see :func:`inv`."""
    return each("pinv", _MATRIX, (matrices,), {"rcond": rcond}, device)


def cholesky(matrices: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.cholesky`` of each matrix, in order; see :func:`inv`."""
    return each("cholesky", _MATRIX, (matrices,), {}, device)


def det(matrices: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.det`` of each matrix, in order; see :func:`inv`."""
    return each("det", _MATRIX, (matrices,), {}, device)


def slogdet(matrices: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.slogdet`` of each matrix, in order; see :func:`inv`."""
    return each("slogdet", _MATRIX, (matrices,), {}, device)


def eigh(matrices: Any, UPLO: str = "L", *, device: Where = None) -> list[Any]:
    """``numpy.linalg.eigh`` of each matrix, in order; see :func:`inv`."""
    return each("eigh", _MATRIX, (matrices,), {"UPLO": UPLO}, device)


def eigvalsh(matrices: Any, UPLO: str = "L", *, device: Where = None) -> list[Any]:
    """``numpy.linalg.eigvalsh`` of each matrix, in order; see :func:`inv`."""
    return each("eigvalsh", _MATRIX, (matrices,), {"UPLO": UPLO}, device)


def eig(matrices: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.eig`` of each matrix, in order; see :func:`inv`.

    Notes
    -----
    NumPy computes it wherever the matrices are, from ten seconds of work on in a process for each
    core; those of the device cross together, those of one shape in one transfer. The results are
    the loop's own: real or complex by the values of each matrix, in LAPACK's order, with the
    vectors that it gives. CuPy's (version 14) are complex always and in an order of their own,
    and are found by a call for each matrix too.
    """
    return each("eig", _MATRIX, (matrices,), {}, device)


def eigvals(matrices: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.eigvals`` of each matrix, in order; see :func:`eig`."""
    return each("eigvals", _MATRIX, (matrices,), {}, device)


def svd(
    matrices: Any, full_matrices: bool = True, compute_uv: bool = True, *, device: Where = None
) -> list[Any]:
    """``numpy.linalg.svd`` of each matrix, in order; see :func:`inv`."""
    options = {"full_matrices": full_matrices, "compute_uv": compute_uv}
    return each("svd", _MATRIX, (matrices,), options, device)


def qr(matrices: Any, mode: str = "reduced", *, device: Where = None) -> list[Any]:
    """``numpy.linalg.qr`` of each matrix, in order; see :func:`inv`."""
    return each("qr", _MATRIX, (matrices,), {"mode": mode}, device)


def matrix_rank(matrices: Any, tol: float | None = None, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.matrix_rank`` of each matrix, in order; see :func:`inv`."""
    return each("matrix_rank", _MATRIX, (matrices,), {} if tol is None else {"tol": tol}, device)


def solve(matrices: Any, right: Any, *, device: Where = None) -> list[Any]:
    """``numpy.linalg.solve`` of each matrix and its right side, in order; see :func:`inv`.

    Parameters
    ----------
    matrices, right : list of array, or array
        Gone through in step, up to the end of the shorter one. Each right side is a vector or a
        matrix.
    """
    return each("solve", ((2,), (1, 2)), (matrices, right), {}, device)
