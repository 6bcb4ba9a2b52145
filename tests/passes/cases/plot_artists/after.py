import cupy as cp
import matplotlib.pyplot as plt
import numpy as np
from gpuport.runtime import device, kernel


@kernel("T u, T x", "T u_new", "u_new = u + 0.1 * cos(x) * exp(-u * u);")
def _film(u, x):
    return u + 0.1 * np.cos(x) * np.exp(-u * u)


def film(n: int, steps: int):
    x = cp.linspace(0.0, 2 * np.pi, n)
    u = cp.sin(x)
    figure, axes = plt.subplot_mosaic([["curve", "map"]])
    (line,) = axes["curve"].plot(cp.asnumpy(x), cp.asnumpy(u))
    image = axes["map"].imshow(cp.asnumpy(cp.outer(u, u)))
    for k in range(steps):
        for _ in range(100):
            u = _film(u, x)
        line.set_ydata(cp.asnumpy(u))
        image.set_data(cp.asnumpy(cp.outer(u, u)))
        figure.savefig(f"{k}.png")
    return cp.asnumpy(u)


@kernel("T u", "T v", "v = sqrt(u * u + 1.0) * exp(-u);")
def _drawn_on_v(u):
    return np.sqrt(u * u + 1.0) * np.exp(-u)


@device("u")
def drawn_on(axes: plt.Axes, u: np.ndarray):
    v = _drawn_on_v(u)
    v_on_host = cp.asnumpy(v)
    axes.plot(v_on_host)
    axes.inset_axes([0.1, 0.1, 0.2, 0.2]).plot(v_on_host)
    axes.xaxis.set_ticks(v_on_host)
    return cp.cumsum(v)
