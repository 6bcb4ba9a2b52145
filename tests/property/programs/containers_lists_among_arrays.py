import numpy as np
from numpy.typing import NDArray


def pad(x):
    return np.concatenate(([x[0]], x, [x[-1]]))


def ends(x: NDArray[np.float64], k: float):
    y = np.concatenate([[0.0], np.sqrt(x), [k, 2 * k]])
    z = np.hstack([[x[0]], x[1:] - x[:-1]])
    w = np.stack((np.exp(x[:2]), [1, 2]))
    return y, z, w


def odd(x):
    even, o = x[::2].copy(), x[1::2].copy()
    prv = np.concatenate(([o[0]], o[:-1]))
    prv[0] = 5
    return even + prv[: even.size], o


x = np.linspace(0, 1, 7)
print(pad(x), pad(np.outer(x, x))[:2])
for v in ends(x, 0.5):
    print(v, v.dtype)
for v in odd(np.arange(8.0)):
    print(v)
print(pad(np.arange(3)).dtype, pad(np.arange(3) > 1))
