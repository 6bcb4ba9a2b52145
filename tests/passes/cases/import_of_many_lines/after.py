import cupy as cp
from gpuport.runtime import device
from numpy import float64, loadtxt, ndarray
from numpy.linalg import (
    LinAlgError,
    cholesky,
    det,
    eigh,
    inv,
    matrix_rank,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
)


def read(path) -> ndarray:
    return loadtxt(path, dtype=float64)


@device("x", from_size=200_000)
def wave(x: ndarray):
    return cp.sin(x) + cp.cos(x) * cp.linalg.norm(x)


NAMES = [LinAlgError, cholesky, det, eigh, inv, matrix_rank, pinv, qr, slogdet, solve, svd]
