"""Wave in a box."""

import cupy as cp
import numpy as np
from gpuport.runtime import kernel

n = 400
x, y = cp.meshgrid(cp.linspace(0, 1, n), cp.linspace(0, 1, n))
u = cp.exp(-100 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
v = cp.zeros_like(u)

@kernel(
    "T lap",
    "T v, T u",
    """
    v += 0.1 * lap;
    u += v;
    """,
)
def _main(lap, v, u):
    v += 0.1 * lap
    u += v
    return v, u


for step in range(200):
    lap = cp.roll(u, 1, 0) + cp.roll(u, -1, 0) + cp.roll(u, 1, 1) + cp.roll(u, -1, 1) - 4 * u
    v, u = _main(lap, v, u)
    if step % 50 == 0:
        print(step, cp.asnumpy(cp.sum(u**2)), f"{u.max():.3f}")

np.save("wave.npy", cp.asnumpy(u))
