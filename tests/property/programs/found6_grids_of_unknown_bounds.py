import sys
import numpy as np

def a(n, h):
    x = np.mgrid[0:n]
    y = np.mgrid[0:1:h]
    return np.sqrt(x * x) % 3, (y * y) // 2

def b(n: int):
    y, x = np.ogrid[-1:1:n * 1j, -2:2:5]
    return np.exp(-(x**2 + y**2)) * np.cos(x * y)

def c(n: int, m: int):
    yy, xx = np.mgrid[0:n, 0:m]
    return (yy * 3 + xx) % 7, np.sqrt(xx * yy)

def d(n):
    g = np.ogrid[0:n, 0:n]
    return np.hypot(g[0], g[1]) * np.exp(g[0] - g[1]) , type(g).__name__

np.savez(sys.argv[1], a=a(5, 0.3)[1], a0=a(5, 0.3)[0], a1=a(4.5, 0.25)[0], b=b(6), c=c(3, 4)[0], c1=c(3, 4)[1], d=d(4)[0])
print(d(3)[1])
