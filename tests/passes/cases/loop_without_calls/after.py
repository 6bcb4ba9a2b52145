"""Loops over the elements of arrays in functions that call nothing of NumPy."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, launchable, on_host


_relax = cp.ElementwiseKernel(
    "raw float64 u, raw float64 source, float64 h",
    "raw float64 v",
    """
    const long long i_ = i / (u.shape()[1] - 2) + 1;
    const long long j = i % (u.shape()[1] - 2) + 1;
    const double around = u[{i_ - 1, j}] + u[{i_ + 1, j}] + u[{i_, j - 1}] + u[{i_, j + 1}];
    v[{i_, j}] = 0.25 * (around - h * h * source[{i_, j}]);
    """,
    "relax",
    options=("--fmad=false",),
)


@device("u", "source", require=("u", "source"), writes="u")
def relax(u, source, h, steps):
    v = u.copy()
    for _ in range(steps):
        if (
            launchable(float64=(u, source, v), real=h, writes=v, ndim=2)
            and source.shape[0] + 1 >= u.shape[0]
            and source.shape[1] + 1 >= u.shape[1]
            and v.shape[0] + 1 >= u.shape[0]
            and v.shape[1] + 1 >= u.shape[1]
        ):
            _relax(
                u, source, h, v,
                size=len(range(1, u.shape[0] - 1)) * len(range(1, u.shape[1] - 1))
            )
        else:
            with on_host(source, u, writes=(v,)) as (source_host, u_host, v_host):
                for i in range(1, u_host.shape[0] - 1):
                    for j in range(1, u_host.shape[1] - 1):
                        around = u_host[i - 1, j] + u_host[i + 1, j] + u_host[i, j - 1] + u_host[i, j + 1]
                        v_host[i, j] = 0.25 * (around - h * h * source_host[i, j])
        u, v = v, u
    return u


_trace = cp.ElementwiseKernel(
    "raw float64 board",
    "raw float64 total_terms",
    """
    const long long k = i;
    total_terms[i] = board[{k, k}];
    """,
    "trace",
    options=("--fmad=false",),
)


@device("board")
def trace(board, n):
    total = 0
    if (
        launchable(float64=board, whole=n, ndim=2)
        and board.shape[0] >= n
        and board.shape[1] >= n
        and max(n, 0) > 0
    ):
        total_terms = cp.empty(max(n, 0), dtype=cp.float64)
        _trace(board, total_terms, size=max(n, 0))
        total = total + cp.asnumpy(total_terms.sum())[()]
    else:
        with on_host(board) as (board_host,):
            for k in range(n):
                total += board_host[k, k]
    return total
