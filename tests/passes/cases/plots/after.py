import cupy as cp
import matplotlib.pyplot as plt
import numpy as np
from gpuport.runtime import kernel


@kernel("T x, float k", "T x_new", "x_new = exp(-x * x) * sin(x) + 0.1 * k;")
def _frames_x(x, k):
    return np.exp(-x * x) * np.sin(x) + 0.1 * k


def frames(n: int):
    x = cp.linspace(0.0, 1.0, n)
    figure, axes = plt.subplots(1, 2)
    for k in range(10):
        x = _frames_x(x, k)
        axes[0].plot(cp.asnumpy(x))
        axes[0].set_title(f"{k}")
    for ax in axes.flat:
        ax.plot(cp.asnumpy(cp.cumsum(x) / n))
    figure.savefig("frames.png")
    return cp.asnumpy(x.sum())[()]


def drawn(path, field):
    plt.figure()
    plt.imshow(field)
    plt.savefig(path)


def told_once(n: int):
    x = cp.linspace(0.0, 1.0, n * n).reshape(n, n)
    x = cp.exp(-x * x) * cp.sin(x)
    drawn("field.png", cp.asnumpy(x))
    y = cp.sin(x) + cp.cos(x) * x
    return cp.asnumpy(y.sum() + x.max())[()]


def written_after(n: int):
    x = np.linspace(0.0, 1.0, n)
    for k in range(10):
        plt.plot(x)
        x += np.exp(-x * x) * np.sin(x)
    plt.savefig("x.png")
    return x.sum()


@kernel("", "T x", "x += exp(-x * x) * sin(x) + cos(x);")
def _written_before_x(x):
    x += np.exp(-x * x) * np.sin(x) + np.cos(x)
    return x


def written_before(n: int):
    x = cp.linspace(0.0, 1.0, n)
    for k in range(10):
        x = _written_before_x(x)
    plt.plot(cp.asnumpy(x))
    plt.savefig("x.png")
    return cp.asnumpy(x.sum())[()]


def written_after_a_call(n: int):
    x = cp.linspace(0.0, 1.0, n * n).reshape(n, n)
    x = cp.asnumpy(cp.exp(-x * x) * cp.sin(x))
    drawn("field.png", x)
    x *= np.cos(x)
    plt.show()
    return np.sqrt(x).sum()


def of_the_caller(x: np.ndarray, ax):
    plt.plot(x)
    return np.sqrt(x) * np.sin(x)
