import cupy as cp
import numpy as np
from gpuport.runtime import device, launchable, on_host


_slow = cp.ElementwiseKernel(
    "float64 x",
    "float64 out",
    """
    out = sin(x) * 2;
    """,
    "slow",
    options=("--fmad=false",),
)


@device("x")
def slow(x: np.ndarray):
    out = cp.zeros(len(x))
    if launchable(float64=(x, out), writes=out, ndim=1):
        _slow(x, out)
    else:
        with on_host(x, writes=(out,)) as (x_host, out_host):
            for i in range(len(x_host)):
                out_host[i] = np.sin(x_host[i]) * 2
    return out
