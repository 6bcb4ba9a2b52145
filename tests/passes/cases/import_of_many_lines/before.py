from numpy import (
    cos,
    float64,
    loadtxt,
    ndarray,
    sin,
)
from numpy.linalg import (
    LinAlgError,
    cholesky,
    det,
    eigh,
    inv,
    matrix_rank,
    norm,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
)


def read(path) -> ndarray:
    return loadtxt(path, dtype=float64)


def wave(x: ndarray):
    return sin(x) + cos(x) * norm(x)


NAMES = [LinAlgError, cholesky, det, eigh, inv, matrix_rank, pinv, qr, slogdet, solve, svd]
