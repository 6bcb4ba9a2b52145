# LOUD, on the host backend (`ranked`, `smooth`) as on a GPU (`envelope` too; the host backend hides that one, see 02): a library function whose parameter is only
# passed to NumPy calls, and whose result meets an array made inside, is ported WITHOUT @device and WITHOUT cp.asarray:
#     X = cp.fft.fft(x); h = cp.zeros(20); return cp.asnumpy(cp.abs(cp.fft.ifft(X * h)))
# Real CuPy: cupy.fft.fft(numpy array) -> TypeError "The input array a must be a cupy.ndarray" (cupy/fft/_fft.py:223);
# cp.sort(ndarray) gives an ndarray, and ndarray * cupy.ndarray -> TypeError; cp.diff/cumsum of an ndarray -> TypeError.
# Should be: @device("x"), as it is when the line with `h` is left out or a call site with an array is in the file.
# (with a call site that passes a list, cp.asarray(x) is written.) Same at HEAD and in the working tree of 07:31.
# Cause: analysis: a parameter that is only `passed` -> Either (evidence.py); the placement has no edge from it to the device op.
import sys

import numpy as np


def envelope(x):
    X = np.fft.fft(x)
    h = np.zeros(20)
    return np.abs(np.fft.ifft(X * h))


def ranked(x):
    s = np.sort(x)
    w = np.ones(20)
    return np.abs(np.cumsum(s * w))


def smooth(x):
    s = np.nan_to_num(np.gradient(np.diff(x)))
    w = np.ones(19)
    return np.abs(np.cos(np.cumsum(s * w)))


if __name__ == "__main__":
    a = np.linspace(0.0, 1.0, 20)
    np.savez(sys.argv[1], **{k: globals()[k](a) for k in ("envelope", "ranked", "smooth")})
