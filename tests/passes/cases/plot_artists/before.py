import matplotlib.pyplot as plt
import numpy as np


def film(n: int, steps: int):
    x = np.linspace(0.0, 2 * np.pi, n)
    u = np.sin(x)
    figure, axes = plt.subplot_mosaic([["curve", "map"]])
    (line,) = axes["curve"].plot(x, u)
    image = axes["map"].imshow(np.outer(u, u))
    for k in range(steps):
        for _ in range(100):
            u = u + 0.1 * np.cos(x) * np.exp(-u * u)
        line.set_ydata(u)
        image.set_data(np.outer(u, u))
        figure.savefig(f"{k}.png")
    return u


def drawn_on(axes: plt.Axes, u: np.ndarray):
    v = np.sqrt(u * u + 1.0) * np.exp(-u)
    axes.plot(v)
    axes.inset_axes([0.1, 0.1, 0.2, 0.2]).plot(v)
    axes.xaxis.set_ticks(v)
    return np.cumsum(v)
