import numpy as np
from scipy import ndimage as ndi


def warp(m, yy, xx):
    return ndi.map_coordinates(m, [yy * 0.5, xx * 0.5], order=1) + ndi.map_coordinates(m, (yy, xx), order=0, mode="nearest")


def box(x, y, z):
    inside = np.logical_and.reduce([x > 0.2, y < 0.8, z != 0])
    return inside, np.maximum.reduce([x, y, z]), np.linalg.norm([x, y, z], axis=0), np.cov([x, y]), np.corrcoef([x, y, z])


def lists(x):
    return np.append(x, [9.0, -8]), x * [1, 2.5, 3], np.dot([1, 0.5, 2], x), x + [[1, 2.0, 3], [4, 5, 6.5]], np.where(x > 1, [1, 2, 2.5], x), np.outer(x, [1, 2.5]), [1, 0.5, 2] @ x


x = np.linspace(0, 1, 7)
m = np.outer(x, x)
yy, xx = np.indices(m.shape).astype(float)
print(warp(m, yy, xx).sum())
for v in box(x, x[::-1].copy(), x**2):
    print(v)
for v in lists(np.array([0.5, 1.5, 2.5])):
    print(v)
