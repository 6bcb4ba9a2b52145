"""Wave in a box."""

import cupy as cp
import numpy as np
from gpuport.runtime import launchable

n = 400
x, y = cp.meshgrid(cp.linspace(0, 1, n), cp.linspace(0, 1, n))
u = cp.exp(-100 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
v = cp.zeros_like(u)

_main = cp.ElementwiseKernel(
    "float64 lap",
    "float64 v, float64 u",
    """
    v += 0.1 * lap;
    u += v;
    """,
    "main_kernel",
    options=("--fmad=false",),
)


for step in range(200):
    lap = cp.roll(u, 1, 0) + cp.roll(u, -1, 0) + cp.roll(u, 1, 1) + cp.roll(u, -1, 1) - 4 * u
    if (
        launchable(float64=(lap, v, u), writes=(v, u))
        and lap.shape == v.shape == u.shape
    ):
        _main(lap, v, u)
    else:
        v += 0.1 * lap
        u += v
    if step % 50 == 0:
        print(step, cp.asnumpy(cp.sum(u**2)), f"{u.max():.3f}")

np.save("wave.npy", cp.asnumpy(u))
