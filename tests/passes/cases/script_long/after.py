"""Wave in a box."""

import cupy as cp
import numpy as np
from gpuport.runtime import kernel

n = 400
x, y = cp.meshgrid(cp.linspace(0, 1, n), cp.linspace(0, 1, n))
u = cp.exp(-100 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
v = cp.zeros_like(u)


@kernel(
    "raw T u",
    "T lap",
    """
    const T u_im = u[{i < 1 ? i - 1 + u.shape[0] : i - 1, j}];
    const T u_ip = u[{i + 1 < u.shape[0] ? i + 1 : i + 1 - u.shape[0], j}];
    const T u_jm = u[{i, j < 1 ? j - 1 + u.shape[1] : j - 1}];
    const T u_jp = u[{i, j + 1 < u.shape[1] ? j + 1 : j + 1 - u.shape[1]}];
    lap = u_im + u_ip + u_jm + u_jp - 4 * u[{i, j}];
    """,
    over="i in range(u.shape[0]), j in range(u.shape[1])",
    where="u.ndim == 2",
)
def _main_lap(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


@kernel(
    "T lap",
    "T v, T u",
    """
    v += 0.1 * lap;
    u += v;
    """,
)
def _main_v(lap, v, u):
    v += 0.1 * lap
    u += v
    return v, u


for step in range(200):
    lap = _main_lap(u)
    v, u = _main_v(lap, v, u)
    if step % 50 == 0:
        print(step, cp.asnumpy(cp.sum(u**2)), f"{u.max():.3f}")

np.save("wave.npy", cp.asnumpy(u))
