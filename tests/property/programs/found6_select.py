import sys
import numpy as np
from numpy.typing import NDArray

def a(x: NDArray[np.float64]):
    return np.select([x < 0, x < 0.5], [np.sin(x), x * x], default=-1.0) + np.select([x > 0.7], [x], 0)

def b(x: np.ndarray):
    return np.select([x < 0, x < 0.5], [np.sin(x), x * x], default=-1.0) * np.exp(x)

def c(x: NDArray[np.float64]):
    return np.select([x < 0, x < 0.5], [0.0, x * x], default=np.nan) * np.exp(x)

def d(x: NDArray[np.int64]):
    return np.select([x < 0, x < 5], [x, x * x], default=0.5) * np.exp(x), np.select([x < 0, x < 5], [x, x * x], default=3) * np.sqrt(x * x)

def e(x: NDArray[np.float64], y: NDArray[np.float64]):
    conds = [x < 0, x < 0.5]
    values = [np.sin(x), y]
    return np.select(conds, values, y) * np.exp(x)

def f(x: NDArray[np.float32]):
    conds = (x < 0, x < 0.5)
    return np.select(conds, (np.sin(x), x * x), 2.5) * np.exp(x)

x = np.linspace(-1, 1, 30)
k = np.arange(-8, 9)
np.savez(sys.argv[1], a=a(x), b=b(x), c=c(x), d=d(k)[0], d2=d(k)[1], e=e(x, x), f=f(x.astype(np.float32)))
