"""Many matrices of one shape as one stack: what ported loops over matrices call."""

from gpuport.runtime.batched.cutouts import flat, integers, windows
from gpuport.runtime.batched.functions import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    matrix_rank,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
)
from gpuport.runtime.batched.grouping import array, items, joined, stacks, unstack
from gpuport.runtime.batched.guards import stackable
from gpuport.runtime.batched.loop import loop
from gpuport.runtime.batched.lowrank import svd_lowrank, svds
from gpuport.runtime.batched.moments import corrcoef, cov
from gpuport.runtime.batched.scatters import add_at
from gpuport.runtime.batched.sized import linalg
from gpuport.runtime.batched.systems import exponentials, least_squares
from gpuport.runtime.batched.values import (
    diag,
    elements,
    numbers,
    replaced,
    total,
    total_outer,
    upload,
)
from gpuport.runtime.batched.vectors import cross
from gpuport.runtime.failures import refused

__all__ = [
    "add_at",
    "array",
    "cholesky",
    "corrcoef",
    "cov",
    "cross",
    "det",
    "diag",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "elements",
    "exponentials",
    "flat",
    "integers",
    "inv",
    "items",
    "joined",
    "least_squares",
    "linalg",
    "loop",
    "matrix_rank",
    "numbers",
    "pinv",
    "qr",
    "refused",
    "replaced",
    "slogdet",
    "solve",
    "stackable",
    "stacks",
    "svd",
    "svd_lowrank",
    "svds",
    "total",
    "total_outer",
    "unstack",
    "upload",
    "windows",
]
