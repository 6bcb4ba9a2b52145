import cupy as cp
import numpy as np
from gpuport.runtime import device
from numpy.lib.stride_tricks import sliding_window_view


def plane(z: float, x: np.ndarray):
    a, b = np.meshgrid(z, x)
    return np.exp(np.sin(x)).sum() + (a + b).sum()


def of_a_line(n: int):
    x = cp.exp(cp.linspace(0.0, 1.0, n))
    a, b = cp.meshgrid(x, x, sparse=True)
    return cp.asnumpy((a * b).sum())[()]


def of_a_picture(n: int):
    x = np.exp(np.zeros((n, n)))
    a, b = np.meshgrid(x, x)
    return (a * b).sum()


def written_windows(x: np.ndarray):
    y = np.exp(x)
    windows = sliding_window_view(y, 3, writeable=True)
    windows[::3] *= 2.0
    return y


def read_windows(x: np.ndarray):
    return sliding_window_view(np.exp(x), 3, writeable=False).mean(axis=-1)


@device("u", from_size=1_000_000)
def picked_rows(u: np.ndarray):
    return cp.exp(u)[[[0, 1], [1, 0]]].sum(axis=1)
