"""A solver whose grids, state and table of schemes are names of the module."""
import cupy as cp
import numpy as np
from gpuport.runtime import kernel

N = 64
x = cp.linspace(0.0, 2 * np.pi, N, endpoint=False)
X, Y = cp.meshgrid(x, x, indexing="ij")
u = cp.sin(X) * cp.cos(Y)
history = []


def upwind(f):
    return f - cp.roll(f, 1, axis=0)


def centred(f):
    return 0.5 * (cp.roll(f, -1, axis=0) - cp.roll(f, 1, axis=0))


SCHEMES = {"upwind": upwind, "centred": centred}


@kernel("T u, T X, float dt", "T terms", "terms = dt * u * exp(-(X * X));")
def _step(u, X, dt):
    return dt * u * np.exp(-(X**2))


def step(dt, scheme):
    global u
    u = u - _step(SCHEMES[scheme](u), X, dt)
    history.append(u.max())


if __name__ == "__main__":
    for k in range(10):
        step(0.01, "upwind" if k % 2 else "centred")
    print(cp.asnumpy(cp.round(u[:2, :2], 8)), cp.asnumpy(cp.array(history).round(6)))
